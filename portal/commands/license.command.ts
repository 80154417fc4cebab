import { Command, Option } from 'commander';
import type { VendorLicenses } from '../licenses/vendor-licenses.ts';
import { licenseArgument, readReference } from './license-reference.ts';
import { addLicenseReports } from './license-reports.ts';
import { formatLicense, noSuchLicense, saidOfChange } from './license-texts.ts';
import {
  parseCount,
  parseEmail,
  parseFeatures,
  parseMoment,
  parseName,
  parsePurchaseId,
  parseReason,
  parseTier,
} from './option-values.ts';
import { CommandError, exitCodes, type Said } from './outcome.ts';
import type { RunCommand } from './run-command.ts';

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
