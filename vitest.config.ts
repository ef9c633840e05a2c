import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          // Pure modules, loaded once for each worker: loading them for each file takes longer than the tests.
          isolate: false,
          pool: 'threads',
          // A core is not left over for anything: nothing else runs meanwhile.
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
          // A few go through tens of thousands of items, on machines that may be busy.
          testTimeout: 30_000,
          include: ['{bench,catalog,ledger,gateway,consumers,callbacks,openapi,scripts,sdk}/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'specs',
          include: ['test/**/*.spec.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 150_000,
          hookTimeout: 60_000,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
