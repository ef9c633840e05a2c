CREATE TABLE `content_refs` (
	`ref` text NOT NULL,
	`job_id` text NOT NULL,
	PRIMARY KEY(`ref`, `job_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `dead_letter_outbox` (
	`job_id` text PRIMARY KEY NOT NULL,
	`record` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `doomed_content` (
	`ref` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`ref` text NOT NULL,
	`content_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`deleted_at` integer,
	`due_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `files_due` ON `files` (`due_at`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`resource_id` text NOT NULL,
	`response` text,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`due_at` integer,
	`deadline_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`last_attempt_at` integer,
	`finished_at` integer,
	`content_expires_at` integer,
	`content_deleted_at` integer,
	`attempt` integer DEFAULT 0 NOT NULL,
	`settled_attempt` integer DEFAULT 0 NOT NULL,
	`booked_attempt` integer DEFAULT 0 NOT NULL,
	`book_by` integer,
	`lost_leases` integer DEFAULT 0 NOT NULL,
	`released` integer DEFAULT 0 NOT NULL,
	`released_attempt` integer DEFAULT 0 NOT NULL,
	`claim_id` text,
	`failures` text DEFAULT '{}' NOT NULL,
	`unknown_outcomes` integer DEFAULT 0 NOT NULL,
	`last_error_class` text,
	`error_class` text,
	`model` text NOT NULL,
	`model_version` text NOT NULL,
	`provider` text NOT NULL,
	`provider_request_id` text,
	`priority` text NOT NULL,
	`confidentiality` text NOT NULL,
	`processing_version` text NOT NULL,
	`created_by` text NOT NULL,
	`batch_id` text,
	`batch_chunk` integer,
	`batch_position` integer,
	`redrive_of` text,
	`retention_seconds` integer NOT NULL,
	`expected_tokens` integer DEFAULT 0 NOT NULL,
	`estimate_micro_usd` integer NOT NULL,
	`reserved_micro_usd` integer DEFAULT 0 NOT NULL,
	`reserved_month` integer,
	`input_tokens` integer,
	`output_tokens` integer,
	`cost_micro_usd` integer,
	`sequence` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`metadata` text NOT NULL,
	`params` text,
	`traceparent` text,
	`file_ids` text DEFAULT '[]' NOT NULL,
	`input_ref` text,
	`output_ref` text,
	`output` text,
	`input` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `jobs_open` ON `jobs` (`status`,`due_at`,`deadline_at`,`kind`,`model`,`created_at`,`batch_chunk`) WHERE "jobs"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `jobs_expiring` ON `jobs` (`content_expires_at`) WHERE "jobs"."content_expires_at" is not null and "jobs"."content_deleted_at" is null;--> statement-breakpoint
CREATE INDEX `jobs_unbooked` ON `jobs` (`book_by`) WHERE "jobs"."book_by" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_redriven` ON `jobs` (`redrive_of`) WHERE "jobs"."redrive_of" is not null;--> statement-breakpoint
CREATE INDEX `jobs_reserving` ON `jobs` (`reserved_month`,`reserved_micro_usd`) WHERE "jobs"."reserved_micro_usd" > 0;--> statement-breakpoint
CREATE INDEX `jobs_of_batches` ON `jobs` (`batch_id`,`batch_chunk`,`batch_position`) WHERE "jobs"."batch_id" is not null;--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `spend` (
	`month` integer PRIMARY KEY NOT NULL,
	`micro_usd` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`day` integer NOT NULL,
	`kind` text NOT NULL,
	`model` text NOT NULL,
	`jobs` integer NOT NULL,
	`items` integer DEFAULT 0 NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cost_micro_usd` integer NOT NULL,
	`changes` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`day`, `kind`, `model`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`condition` text NOT NULL,
	`subject` text NOT NULL,
	`value` real NOT NULL,
	`threshold` real NOT NULL,
	`opened_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`absent_since` integer,
	`told_at` integer NOT NULL,
	`resolved_at` integer,
	`sequence` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_open` ON `alerts` (`condition`,`subject`) WHERE "alerts"."resolved_at" is null;--> statement-breakpoint
CREATE TABLE `batch_chunks` (
	`batch_id` text NOT NULL,
	`chunk` integer NOT NULL,
	`state` text NOT NULL,
	`path` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`booked_tries` integer DEFAULT 0 NOT NULL,
	`call_offs` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`items` integer NOT NULL,
	`bytes` integer NOT NULL,
	`runs` text NOT NULL,
	`confidentiality` text NOT NULL,
	`retention_seconds` integer NOT NULL,
	`delete_after` integer,
	`content_deleted_at` integer,
	`succeeded` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	`expired` integer DEFAULT 0 NOT NULL,
	`input_tokens` integer DEFAULT 0 NOT NULL,
	`output_tokens` integer DEFAULT 0 NOT NULL,
	`cost_micro_usd` integer DEFAULT 0 NOT NULL,
	`estimate_micro_usd` integer NOT NULL,
	`reserved_micro_usd` integer DEFAULT 0 NOT NULL,
	`reserved_month` integer,
	`provider_request_id` text,
	`intent_at` integer,
	`submitted_at` integer,
	`collected_at` integer,
	`polls` integer DEFAULT 0 NOT NULL,
	`stalled_at` integer,
	`failures` text DEFAULT '{}' NOT NULL,
	`last_error_class` text,
	`model_version` text,
	`output_ref` text,
	`findings` text,
	`statuses` text NOT NULL,
	`errors` text DEFAULT '{}' NOT NULL,
	`usages` text,
	PRIMARY KEY(`batch_id`, `chunk`)
);
--> statement-breakpoint
CREATE INDEX `batch_chunks_expiring` ON `batch_chunks` (`delete_after`) WHERE "batch_chunks"."delete_after" is not null and "batch_chunks"."content_deleted_at" is null;--> statement-breakpoint
CREATE INDEX `batch_chunks_reserving` ON `batch_chunks` (`reserved_month`,`reserved_micro_usd`) WHERE "batch_chunks"."reserved_micro_usd" > 0;--> statement-breakpoint
CREATE TABLE `batch_faults` (
	`batch_id` text NOT NULL,
	`page` integer NOT NULL,
	`faults` text NOT NULL,
	PRIMARY KEY(`batch_id`, `page`)
);
--> statement-breakpoint
CREATE TABLE `batch_pages` (
	`batch_id` text NOT NULL,
	`page` integer NOT NULL,
	`items` text NOT NULL,
	PRIMARY KEY(`batch_id`, `page`)
);
--> statement-breakpoint
CREATE TABLE `batches` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`planned` integer NOT NULL,
	`due_at` integer,
	`deadline_at` integer NOT NULL,
	`instance` integer DEFAULT 0 NOT NULL,
	`progress_at` integer,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`content_expires_at` integer,
	`content_deleted_at` integer,
	`model` text NOT NULL,
	`model_version` text NOT NULL,
	`provider` text NOT NULL,
	`processing_version` text NOT NULL,
	`confidentiality` text NOT NULL,
	`retention_seconds` integer NOT NULL,
	`created_by` text NOT NULL,
	`parent_batch_id` text,
	`source_ref` text NOT NULL,
	`items_file_id` text,
	`lines` text,
	`on_invalid` text NOT NULL,
	`on_deadline` text NOT NULL,
	`on_duplicate` text NOT NULL,
	`max_cost_micro_usd` integer,
	`items` integer DEFAULT 0 NOT NULL,
	`invalid_items` integer DEFAULT 0 NOT NULL,
	`duplicate_items` integer DEFAULT 0 NOT NULL,
	`unaffordable` text,
	`sequence` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`metadata` text NOT NULL,
	`params` text,
	`traceparent` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `batches_open` ON `batches` (`due_at`) WHERE "batches"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `batches_expiring` ON `batches` (`content_expires_at`) WHERE "batches"."content_expires_at" is not null and "batches"."content_deleted_at" is null;--> statement-breakpoint
CREATE TABLE `deliveries` (
	`event_sequence` integer NOT NULL,
	`endpoint_id` text NOT NULL,
	`id` text NOT NULL,
	`status` text NOT NULL,
	`due_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`ordered_subject` text,
	`attempts` text NOT NULL,
	PRIMARY KEY(`event_sequence`, `endpoint_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`endpoint_id`,`due_at`) WHERE "deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_in_order` ON `deliveries` (`endpoint_id`,`ordered_subject`,`event_sequence`) WHERE "deliveries"."due_at" is not null and "deliveries"."ordered_subject" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_held` ON `deliveries` (`endpoint_id`,`event_sequence`) WHERE "deliveries"."status" = 'held';--> statement-breakpoint
CREATE TABLE `events` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`subject_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`event_types` text NOT NULL,
	`description` text,
	`status` text NOT NULL,
	`disabled_reason` text,
	`signing` text NOT NULL,
	`keys` text NOT NULL,
	`ordered` integer NOT NULL,
	`max_per_second` integer,
	`header_names` text NOT NULL,
	`sealed_headers` text,
	`health` text NOT NULL,
	`sequence` integer DEFAULT 0 NOT NULL,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
