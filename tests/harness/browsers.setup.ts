import type { TestProject } from 'vitest/node';
import { launchBrowserServer } from './browser.ts';
import { type SharedBrowser, sharedBrowsersVariable } from './shared-browser.ts';

/** Starts one Chromium for each worker, which its files share; each file opens contexts of its own. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  await using opening = new AsyncDisposableStack();
  const workers = Array.from({ length: project.config.maxWorkers });
  const servers = await Promise.all(workers.map(async () => opening.use(await launchBrowserServer())));
  const shared = servers.map(({ endpoint, pid }): SharedBrowser => ({ endpoint, pid }));
  // Workers inherit the variables that are set before they start.
  process.env[sharedBrowsersVariable] = JSON.stringify(shared);
  const resources = opening.move();
  return async () => {
    delete process.env[sharedBrowsersVariable];
    await resources.disposeAsync();
  };
};
