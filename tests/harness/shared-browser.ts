/** Set by `browsers.setup.ts`: outside the runner there is none to share. */
export const sharedBrowsersVariable = 'CASTELLAN_TEST_BROWSERS';
export interface SharedBrowser {
  readonly endpoint: string;
  readonly pid: number;
}

/** The Chromium that this worker shares with other test files; null outside the projects that have some. */
export const sharedBrowser = (): SharedBrowser | null => {
  const text = process.env[sharedBrowsersVariable];
  if (text === undefined) return null;
  const browsers = JSON.parse(text) as readonly SharedBrowser[];
  return browsers[(Number(process.env.VITEST_POOL_ID) - 1) % browsers.length] ?? null;
};
