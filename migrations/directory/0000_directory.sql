CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`operator` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_log_target` ON `audit_log` (`target`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_operator` ON `audit_log` (`operator`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_at` ON `audit_log` (`at`);--> statement-breakpoint
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`secret_hash` text,
	`former_secrets` text DEFAULT '[]' NOT NULL,
	`jwks` text,
	`disabled_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `clients_tenant` ON `clients` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `dead_letter_totals` (
	`queue` text NOT NULL,
	`class` text NOT NULL,
	`recorded` integer NOT NULL,
	PRIMARY KEY(`queue`, `class`)
);
--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`tenant_id` text,
	`job_id` text,
	`batch_id` text,
	`delivery_id` text,
	`schema_version` integer,
	`class` text NOT NULL,
	`attempts` integer NOT NULL,
	`message_sha256` text,
	`status` text NOT NULL,
	`redrivable` integer NOT NULL,
	`redrive_reason` text NOT NULL,
	`redrive_conditions` text NOT NULL,
	`input_kept_until` integer,
	`created_at` integer NOT NULL,
	`review_by` integer NOT NULL,
	`redriven_by` text,
	`redriven_at` integer,
	`redrive_note` text,
	`new_job_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_job` ON `dead_letters` (`job_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_message` ON `dead_letters` (`queue`,`message_sha256`);--> statement-breakpoint
CREATE INDEX `dead_letters_status` ON `dead_letters` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `dead_letters_tenant` ON `dead_letters` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `former_tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`deleted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `intake_pauses` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text,
	`kind` text,
	`model` text,
	`accepted_work` text NOT NULL,
	`operator` text NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `issuers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`issuer` text NOT NULL,
	`audience` text,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`keys` text NOT NULL,
	`keys_read_at` integer,
	`failures` integer NOT NULL,
	`keys_error` text,
	`next_read_at` integer NOT NULL,
	`claimed_until` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `issuers_issuer` ON `issuers` (`issuer`);--> statement-breakpoint
CREATE INDEX `issuers_tenant` ON `issuers` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `model_evaluations` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`kind` text NOT NULL,
	`present_model` text NOT NULL,
	`present_version` text NOT NULL,
	`candidate_model` text NOT NULL,
	`candidate_version` text NOT NULL,
	`params` text,
	`thresholds` text NOT NULL,
	`cases` integer NOT NULL,
	`labelled_cases` integer NOT NULL,
	`created_by` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	`error_class` text,
	`report` text,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`content_until` integer
);
--> statement-breakpoint
CREATE INDEX `model_evaluations_candidate` ON `model_evaluations` (`candidate_model`,`id`);--> statement-breakpoint
CREATE INDEX `model_evaluations_due` ON `model_evaluations` (`due_at`) WHERE "model_evaluations"."status" = 'running';--> statement-breakpoint
CREATE INDEX `model_evaluations_content` ON `model_evaluations` (`content_until`) WHERE "model_evaluations"."content_until" is not null;--> statement-breakpoint
CREATE TABLE `model_states` (
	`model` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`enabled` integer NOT NULL,
	`evaluation_id` text,
	`overridden` integer NOT NULL,
	`operator` text NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `operator_keys` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`response` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `order_revisions` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `roll_ups` (
	`ledger` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`open_jobs` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`figures` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `roll_ups_stale` ON `roll_ups` (`updated_at`) WHERE "roll_ups"."open_jobs" > 0;--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL,
	`status` text NOT NULL,
	`plan` text NOT NULL,
	`standing_revision` integer DEFAULT 1 NOT NULL,
	`restore_epoch` integer DEFAULT 0 NOT NULL,
	`held` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tenants_deleting` ON `tenants` (`id`) WHERE "tenants"."status" = 'deleting';--> statement-breakpoint
CREATE TABLE `usage_days` (
	`ledger` text NOT NULL,
	`day` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`revision` integer NOT NULL,
	`figures` text NOT NULL,
	PRIMARY KEY(`ledger`, `day`)
);
--> statement-breakpoint
CREATE INDEX `usage_days_tenant` ON `usage_days` (`tenant_id`,`day`);--> statement-breakpoint
CREATE INDEX `usage_days_day` ON `usage_days` (`day`);--> statement-breakpoint
CREATE TABLE `used_assertions` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_assertions_expired` ON `used_assertions` (`expires_at`);