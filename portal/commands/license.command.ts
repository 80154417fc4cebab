import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { printable } from '#runtime/printable.ts';
import { type LicenseStatus, licenseStatuses } from '../licenses/license-status.ts';
import type { LicenseView } from '../licenses/license-view.ts';
import type { Change, VendorLicenses } from '../licenses/vendor-licenses.ts';
import { commandLine } from '../vendor/actor-names.ts';
import { exportEvents, exportLicenses } from '../vendor/csv-export.ts';
import type { LicenseEventView } from '../vendor/event-log.ts';
import { readLicenseQuery } from '../vendor/license-query.ts';
import { licenseArgument, readReference } from './license-reference.ts';
import {
  parseCount,
  parseEmail,
  parseFeatures,
  parseMoment,
  parseName,
  parsePosition,
  parsePurchaseId,
  parseReason,
  parseTier,
} from './option-values.ts';
import { CommandError, exitCodes, formatFields, type Said } from './outcome.ts';
import type { RunCommand } from './run-command.ts';

const noSuchLicense = (): CommandError => new CommandError('There is no such license.', exitCodes.usage);

const saidOfChange = (change: Change): Said => {
  if (change.outcome === 'not-found') throw noSuchLicense();
  if (change.outcome === 'refused') throw new CommandError(change.reason, exitCodes.failed);
  return { text: formatLicense(change.license), json: change.license };
};

const formatLicense = (license: LicenseView): string => {
  const { machine } = license;
  return formatFields({
    License: license.id,
    Key: license.maskedKey,
    Status: license.status,
    ...(license.statusReason === null ? {} : { Reason: printable(license.statusReason) }),
    Expires: license.expiresAt ?? 'never',
    Buyer: license.buyerEmail,
    ...(license.buyerName === null ? {} : { Name: printable(license.buyerName) }),
    Tenant: license.tenantId,
    Purchase: license.purchaseId,
    Tier: license.tier,
    Features: license.features.join(', '),
    Clusters: license.maxClusters === null ? 'no cap' : `at most ${license.maxClusters}`,
    Issued: license.createdAt,
    Machine: machine?.hwid ?? 'none yet',
    ...(machine
      ? {
          Instance: `${machine.instanceId}, version ${machine.version}`,
          Bound: machine.boundAt,
          'Last check': machine.lastValidatedAt ?? 'none yet',
        }
      : {}),
  });
};

/** An event in one line. */
const formatEvent = (event: LicenseEventView): string =>
  `${event.at}  ${event.licenseId}  ${event.kind}  ${printable(event.actorName ?? event.actor)}  ${JSON.stringify(event.data)}\n`;

const statusOption = () => new Option('--status <name>', 'only these').choices(licenseStatuses);
const defaultLimit = 50;

/** Commands that only read. */
const addLicenseReports = (command: Command, run: RunCommand): void => {
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
    .action(
      (
        text: string | undefined,
        {
          status,
          after,
          limit,
          json,
        }: {
          readonly status?: LicenseStatus;
          readonly after?: string;
          readonly limit: number;
          readonly json?: boolean;
        },
      ) =>
        run({ json }, async ({ vendorArea }) => {
          const query = readLicenseQuery(text === undefined ? '' : await readReference(text));
          if (query.by === 'mistyped-key')
            throw new CommandError('This is no license key: a character of it is wrong.', exitCodes.usage);
          const found = await vendorArea.search({ query, status, after, limit });
          const more = found.next === null ? '' : `\nThere are more: --after ${found.next}\n`;
          return {
            text:
              found.rows.length === 0
                ? 'No license fits.\n'
                : found.rows.map(formatLicense).join('\n') + more,
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
    .action(
      (
        given: string | undefined,
        {
          before,
          limit,
          json,
        }: {
          readonly before?: string;
          readonly limit: number;
          readonly json?: boolean;
        },
      ) =>
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
    .action(
      ({
        output,
        events,
        status,
        json,
      }: {
        readonly output: string;
        readonly events?: boolean;
        readonly status?: LicenseStatus;
        readonly json?: boolean;
      }) =>
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

interface IssueOptions {
  readonly email: string;
  readonly name?: string;
  readonly tier: string;
  readonly features: readonly string[];
  readonly maxClusters?: number;
  readonly expires?: Date;
  readonly purchaseId?: string;
  readonly tenant?: string;
}

export const licenseCommand = (run: RunCommand): Command => {
  const command = new Command('license').description('Issue and manage licenses');

  command
    .command('issue')
    .description('Issue a license and print its key, which is shown this one time only')
    .requiredOption('--email <address>', "the buyer's e-mail address", parseEmail)
    .option('--name <name>', "the buyer's name, to find the license by", parseName)
    .option('--tier <name>', 'license tier', parseTier, 'standard')
    .option('--features <list>', 'comma-separated features, or * for all', parseFeatures, ['*'])
    .option('--max-clusters <count>', 'largest number of clusters (default: no cap)', parseCount)
    .option('--expires <date>', 'last day, or ISO 8601 time, in UTC (default: never)', parseMoment)
    .option('--purchase-id <id>', 'order id at the payment gateway (default: one is made)', parsePurchaseId)
    .option('--tenant <id>', "existing tenant (default: the one with the buyer's address)")
    .option('--json', 'print JSON')
    .action((options: IssueOptions & { json?: boolean }) =>
      run(options, ({ vendor }) => issue(vendor, options)),
    );

  command
    .command('show')
    .description('Show a license; its key is masked')
    .argument(...licenseArgument)
    .option('--json', 'print JSON')
    .action((given: string | undefined, options: { json?: boolean }) =>
      run(options, async ({ vendor }) => {
        const license = await vendor.find(await readReference(given));
        if (!license) throw noSuchLicense();
        return { text: formatLicense(license), json: license };
      }),
    );

  const restrictions = {
    suspend: 'Suspend an active license until it is resumed',
    revoke: 'Revoke a license for good',
  } as const;
  for (const [name, description] of Object.entries(restrictions) as [keyof typeof restrictions, string][]) {
    command
      .command(name)
      .description(description)
      .argument(...licenseArgument)
      .option('--reason <text>', 'a line that the customer reads', parseReason)
      .option('--json', 'print JSON')
      .action((given: string | undefined, { reason, json }: { reason?: string; json?: boolean }) =>
        run({ json }, async ({ vendor }) =>
          saidOfChange(await vendor[name](await readReference(given), reason)),
        ),
      );
  }

  const changes = {
    resume: 'Resume a suspended license',
    unbind: 'Free a license from its machine; the next one that activates it binds',
    'grant-transfer': 'Give a license one more transfer than the free ones',
  } as const;
  for (const [name, description] of Object.entries(changes) as [keyof typeof changes, string][]) {
    command
      .command(name)
      .description(description)
      .argument(...licenseArgument)
      .option('--json', 'print JSON')
      .action((given: string | undefined, options: { json?: boolean }) =>
        run(options, async ({ vendor }) => {
          const reference = await readReference(given);
          return saidOfChange(
            await (name === 'grant-transfer' ? vendor.grantTransfer(reference) : vendor[name](reference)),
          );
        }),
      );
  }

  command
    .command('extend')
    .description('Give a license more time')
    .argument(...licenseArgument)
    .addOption(
      new Option('--until <date>', 'new last day, or ISO 8601 time, in UTC')
        .argParser(parseMoment)
        .conflicts('days'),
    )
    .addOption(
      new Option('--days <count>', 'days after its expiry, or after now if that has passed').argParser(
        parseCount,
      ),
    )
    .option('--json', 'print JSON')
    .action(
      (
        given: string | undefined,
        { until, days, json }: { readonly until?: Date; readonly days?: number; readonly json?: boolean },
        extend: Command,
      ) => {
        const extension = until ? { until } : days ? { days } : null;
        if (!extension) return extend.error('error: say --until DATE or --days N');
        return run({ json }, async ({ vendor }) =>
          saidOfChange(await vendor.extend(await readReference(given), extension)),
        );
      },
    );

  addLicenseReports(command, run);
  return command;
};

const issue = async (vendor: VendorLicenses, options: IssueOptions): Promise<Said> => {
  const expiresAt = options.expires ?? null;
  if (expiresAt && expiresAt <= new Date())
    throw new CommandError('The expiry date has passed already.', exitCodes.usage);
  const issued = await vendor.issue({
    buyerEmail: options.email,
    buyerName: options.name ?? null,
    tier: options.tier,
    features: options.features,
    maxClusters: options.maxClusters ?? null,
    expiresAt,
    purchaseId: options.purchaseId,
    tenantId: options.tenant,
  });
  if (issued.outcome === 'refused') throw new CommandError(issued.reason, exitCodes.failed);
  const { licenseKey, license } = issued;
  return {
    text: `License issued. Its key is shown this one time only:\n\n  ${licenseKey}\n\n${formatLicense(license)}`,
    json: { licenseKey, ...license },
  };
};
