import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { apiDatabase } from './api-database.ts';
import { startTestApi, type TestApi, type TestApiOptions } from './test-api.ts';
import { whenInUse } from './when-in-use.ts';

export interface ApiOfATest {
  readonly api: TestApi;
  readonly port: number;
  readonly home: string;
  readonly databaseUrl: TestDatabase['url'];
}

/** One API with its own database and data folder for all tests of a file. @returns how to reach it, inside tests */
export const apiForThisFile = (
  options: Omit<TestApiOptions, 'databaseUrl' | 'home'> = {},
): (() => ApiOfATest) => {
  let running: (ApiOfATest & { readonly folder: TemporaryFolder; readonly database: TestDatabase }) | null =
    null;
  beforeAll(async () => {
    const folder = await temporaryFolder('api');
    const database = await apiDatabase();
    const api = await startTestApi({
      databaseUrl: database.url,
      home: folder.path,
      workers: [],
      ...options,
    });
    running = { api, port: api.port, home: folder.path, databaseUrl: database.url, folder, database };
    await whenInUse(api);
  });
  afterAll(async () => {
    await running?.api[Symbol.asyncDispose]();
    await running?.database[Symbol.asyncDispose]();
    await running?.folder[Symbol.asyncDispose]();
  });
  return () => {
    if (!running) throw new Error('the API of this test is not up');
    return running;
  };
};
