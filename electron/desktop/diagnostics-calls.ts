import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleProgress, BundleReport } from '#contracts/desktop/desktop-diagnostics.ts';
import { StartupError } from '#runtime/program.ts';
import { version } from '#runtime/version.ts';
import type { AddressTests } from '../diagnostics/address-tests.ts';
import { createBundleRedactor } from '../diagnostics/bundle-redactor.ts';
import { bundleFileName } from '../diagnostics/bundle-words.ts';
import { readInstallationFacts } from '../diagnostics/installation-facts.ts';
import { readLogTail } from '../diagnostics/log-tails.ts';
import { makeBundle } from '../diagnostics/make-bundle.ts';
import { tailLines } from '../diagnostics/tail-lines.ts';
import type { Stack } from '../stack/stack.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

type DiagnosticsHandlers = Pick<
  DesktopHandlers,
  Extract<keyof DesktopHandlers, `diagnostics.${string}` | 'logs.tail'>
>;

/** How much of a log's end is searched for the lines that a page shows. */
const tailBytes = 512 * 1024;

/** Helps to find out what is wrong, even while nothing else works. */
export const diagnosticsCalls = (options: {
  readonly home: string;
  readonly stack: Pick<Stack, 'status'>;
  readonly addresses: Pick<AddressTests, 'testAll'>;
  /** Where the system puts the dumps of a crashed desktop. */
  readonly crashFolder: string;
  /** Asks where to save a file; null when the user cancelled. @param name proposed */
  readonly askWhere: (name: string) => Promise<string | null>;
  /** Shows it in the system's file manager. */
  readonly showFile: (path: string) => void;
  readonly onProgress: (progress: BundleProgress) => void;
}): DiagnosticsHandlers => {
  const { home, stack, crashFolder } = options;
  let isMaking = false;
  let newest: BundleReport | null = null;

  const make = async (): Promise<BundleReport | null> => {
    const out = await options.askWhere(bundleFileName(new Date()));
    if (out === null) return null;
    newest = await makeBundle({
      out,
      home,
      program: { madeBy: 'the desktop', ...programVersions() },
      stack: () => stack.status(),
      crashFolder,
      addresses: () => options.addresses.testAll(),
      onProgress: options.onProgress,
    });
    return newest;
  };

  return {
    'diagnostics.versions': () => ({ castellan: version, ...programVersions() }),
    async 'diagnostics.make'() {
      if (isMaking) throw new StartupError('A diagnostics bundle is already being created.');
      isMaking = true;
      try {
        return await make();
      } finally {
        isMaking = false;
      }
    },
    'diagnostics.show'() {
      if (newest === null || !existsSync(newest.path))
        throw new StartupError('The bundle is not there any more. Create a new one.');
      options.showFile(newest.path);
      return {};
    },
    async 'logs.tail'({ component, ...filter }) {
      const tail = await readLogTail(home, `${component}.log`, tailBytes).catch((error) => {
        if (error.code === 'ENOENT') return { text: '' };
        throw new StartupError(`${join('logs', `${component}.log`)} cannot be read: ${error.message}`);
      });
      // The supervisor removes secrets before it writes; what others wrote there is redacted as in a bundle.
      const { redactLong } = createBundleRedactor((await readInstallationFacts(home)).secrets);
      return { lines: [...tailLines(await redactLong(tail.text), filter)] };
    },
  };
};

/** Versions of Electron and what it includes. */
export const programVersions = (): Record<string, string> => {
  const { electron = 'none', chrome = 'none', node } = process.versions;
  return { electron, chromium: chrome, nodeOfElectron: node };
};
