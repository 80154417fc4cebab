import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { type LicenseStatus, licenseStatuses } from '../licenses/license-status.ts';
import { commandLine } from '../vendor/actor-names.ts';
import { exportEvents, exportLicenses } from '../vendor/csv-export.ts';
import { readLicenseQuery } from '../vendor/license-query.ts';
import { readReference } from './license-reference.ts';
import { formatEvent, formatLicense, noSuchLicense } from './license-texts.ts';
import { parseCount, parsePosition } from './option-values.ts';
import { CommandError, exitCodes } from './outcome.ts';
import type { RunCommand } from './run-command.ts';

interface SearchOptions {
  readonly status?: LicenseStatus;
  readonly after?: string;
  readonly limit: number;
  readonly json?: boolean;
}

interface EventsOptions {
  readonly before?: string;
  readonly limit: number;
  readonly json?: boolean;
}

interface ExportOptions {
  readonly output: string;
  readonly events?: boolean;
  readonly status?: LicenseStatus;
  readonly json?: boolean;
}

const statusOption = () => new Option('--status <name>', 'only these').choices(licenseStatuses);
const defaultLimit = 50;

/** Commands that only read. */
export const addLicenseReports = (command: Command, run: RunCommand): void => {
  command
    .command('search')
    .description('List licenses, the newest first')
    .argument(
      '[text]',
      'id, HWID, e-mail address or order id, each as a whole, or - to be asked for a key (default: all)',
    )
    .addOption(statusOption())
    .option('--after <id>', 'continue after this license')
    .option('--limit <count>', 'how many', parseCount, defaultLimit)
    .option('--json', 'print JSON')
    .action((text: string | undefined, { status, after, limit, json }: SearchOptions) =>
      run({ json }, async ({ vendorArea }) => {
        const query = readLicenseQuery(text === undefined ? '' : await readReference(text));
        if (query.by === 'mistyped-key')
          throw new CommandError('This is no license key: a character of it is wrong.', exitCodes.usage);
        const found = await vendorArea.search({ query, status, after, limit });
        const more = found.next === null ? '' : `\nThere are more: --after ${found.next}\n`;
        return {
          text:
            found.rows.length === 0 ? 'No license fits.\n' : found.rows.map(formatLicense).join('\n') + more,
          json: found,
        };
      }),
    );

  command
    .command('events')
    .description('List what happened, the newest first, and who did it')
    .argument('[id]', 'license id, or - to be asked for the key (default: of all licenses)')
    .option('--before <id>', 'continue before this event', parsePosition)
    .option('--limit <count>', 'how many', parseCount, defaultLimit)
    .option('--json', 'print JSON')
    .action((given: string | undefined, { before, limit, json }: EventsOptions) =>
      run({ json }, async ({ vendor, vendorArea }) => {
        const license = given === undefined ? null : await vendor.find(await readReference(given));
        if (given !== undefined && !license) throw noSuchLicense();
        const events = await vendorArea.events.ofLicenses({
          licenseId: license?.id,
          before,
          limit,
        });
        return { text: events.map(formatEvent).join('') || 'Nothing has happened yet.\n', json: events };
      }),
    );

  command
    .command('export')
    .description('Write licenses, or their events, to a new file as CSV; keys are masked')
    .requiredOption('--output <file>', 'where to; a file that is there already is left alone')
    .option('--events', 'the events instead of the licenses')
    .addOption(statusOption().conflicts('events'))
    .option('--json', 'print JSON')
    .action(({ output, events, status, json }: ExportOptions) =>
      run({ json }, async ({ vendorArea }) => {
        const rows = events
          ? await exportEvents(vendorArea.events)
          : await exportLicenses(vendorArea.search, { query: { by: 'nothing' }, status });
        await writeNewFile(rows, output);
        const subject = events ? 'events' : 'licenses';
        await vendorArea.record({ kind: 'exported', by: commandLine, subject });
        return { text: `Written to ${output}\n`, json: { output } };
      }),
    );
};

/** Readable by its owner only: it contains the addresses of all buyers. */
const writeNewFile = async (content: Readable, path: string): Promise<void> => {
  try {
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined || code === undefined) throw error;
    const why = code === 'EEXIST' ? 'is there already' : `cannot be written (${code})`;
    throw new CommandError(`${path} ${why}.`, exitCodes.failed);
  }
};
