import type { ConsoleMessage, Page } from 'playwright-core';

export interface Faults {
  /**
   * Everything that went wrong on any page so far: uncaught errors, console errors, files that did not load, answers with 500.
   * A test file ends with `expect(panel.faults()).toEqual([])`.
   */
  faults(): readonly string[];
  /** Requests that the API refused or did not answer: some tests expect them, so they are separate. */
  refusals(): readonly string[];
}

export interface FaultWatch extends Faults {
  watch(page: Page): void;
}

const failedLoad = /^Failed to load resource|^WebSocket connection to/;

/** @param apiUrl refusals from there do not count as faults */
export const watchFaults = (apiUrl: string): FaultWatch => {
  const faults: string[] = [];
  const refusals: string[] = [];
  const socketUrl = apiUrl.replace('http', 'ws');
  const isRefusal = (message: ConsoleMessage) => {
    const text = message.text();
    if (!failedLoad.test(text) || text.includes(' 500 ')) return false;
    return message.location().url.startsWith(`${apiUrl}/api/`) || text.includes(socketUrl);
  };
  return {
    faults: () => faults,
    refusals: () => refusals,
    watch(page) {
      page.on('pageerror', (error) => faults.push(`${page.url()} threw ${error.stack ?? error.message}`));
      page.on('console', (message) => {
        if (message.type() !== 'error') return;
        const said = `${page.url()} said ${message.text()} (${message.location().url})`;
        (isRefusal(message) ? refusals : faults).push(said);
      });
    },
  };
};
