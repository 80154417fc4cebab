import { Command } from 'commander';
import type { Plan } from '../purchases/plans.ts';
import { commandLine } from '../vendor/actor-names.ts';
import { parseCount, parseFeatures, parsePlanId, parseTier } from './option-values.ts';
import { CommandError, exitCodes, formatFields } from './outcome.ts';
import type { RunCommand } from './run-command.ts';

/** The plans that products of the shop are sold as. */
export const planCommand = (run: RunCommand): Command => {
  const command = new Command('plan').description('What a purchase at the gateway becomes');

  command
    .command('set')
    .description(
      'Add a plan, or change what it is for those who buy from now on; waiting orders are fulfilled',
    )
    .argument('<id>', 'as the product is named at the gateway', parsePlanId)
    .option('--tier <name>', 'license tier', parseTier, 'standard')
    .option('--features <list>', 'comma-separated features, or * for all', parseFeatures, ['*'])
    .option('--max-clusters <count>', 'largest number of clusters (default: no cap)', parseCount)
    .option('--days <count>', 'how long a single purchase is valid (default: for ever)', parseCount)
    .option('--json', 'print JSON')
    .action(
      (
        id: string,
        {
          tier,
          features,
          maxClusters,
          days,
          json,
        }: {
          readonly tier: string;
          readonly features: readonly string[];
          readonly maxClusters?: number;
          readonly days?: number;
          readonly json?: boolean;
        },
      ) =>
        run({ json }, async ({ plans, purchases, vendorArea }) => {
          const plan = { id, tier, features, maxClusters: maxClusters ?? null, durationDays: days ?? null };
          await plans.put(plan);
          const { id: subject, ...data } = plan;
          await vendorArea.record({ kind: 'plan_set', by: commandLine, subject, data });
          const fulfilled = await purchases.retryUnprocessed();
          const waited = fulfilled === 0 ? '' : `\nPurchase events that had waited, done now: ${fulfilled}\n`;
          return { text: formatPlan(plan) + waited, json: { ...plan, fulfilled } };
        }),
    );

  command
    .command('list')
    .description('List all plans')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      run(options, async ({ plans }) => {
        const list = await plans.list();
        return {
          text: list.length === 0 ? 'There are no plans.\n' : list.map(formatPlan).join('\n'),
          json: list,
        };
      }),
    );

  command
    .command('remove')
    .description('Stop selling a plan; licenses already sold stay valid')
    .argument('<id>', 'name of the plan')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) =>
      run(options, async ({ plans, vendorArea }) => {
        if (!(await plans.remove(id))) throw new CommandError('There is no such plan.', exitCodes.usage);
        await vendorArea.record({ kind: 'plan_removed', by: commandLine, subject: id });
        return { text: 'The plan is removed.\n', json: { removed: id } };
      }),
    );
  return command;
};

const formatPlan = ({ id, tier, features, maxClusters, durationDays }: Plan): string =>
  formatFields({
    Plan: id,
    Tier: tier,
    Features: features.join(', '),
    Clusters: maxClusters === null ? 'no cap' : `at most ${maxClusters}`,
    Valid: durationDays === null ? 'for ever, or as long as the subscription' : `${durationDays} days`,
  });
