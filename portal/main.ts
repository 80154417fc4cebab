import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { version } from '#runtime/version.ts';
import { accountCommand } from './commands/account.command.ts';
import { backupCommand, restoreCommand } from './commands/backup.command.ts';
import { keyCommand } from './commands/key.command.ts';
import { licenseCommand } from './commands/license.command.ts';
import { mailCommand } from './commands/mail.command.ts';
import { exitCodes } from './commands/outcome.ts';
import { planCommand } from './commands/plan.command.ts';
import { purchaseCommand } from './commands/purchase.command.ts';
import { createRunCommand } from './commands/run-command.ts';
import { portalEnv } from './config.ts';
import { serve } from './serve.ts';

/** Next to the bundle, or among the sources. */
const guardianEntry = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, '../runtime/guardian/main.ts')
  : join(import.meta.dirname, 'guardian.mjs');
const environment = { variables: process.env, guardianEntry };
const run = createRunCommand(environment);

/** Commander passes settings on only to commands that are added after they were made. */
const withOwnExit = (command: Command): Command => {
  for (const inner of command.exitOverride().commands) withOwnExit(inner);
  return command;
};

const program = new Command('portal')
  .description('License portal of Castellan. Without a command it serves.')
  .version(version)
  .showHelpAfterError('(add --help for the options)')
  .addHelpText(
    'after',
    `
The portal keeps everything in its home: PORTAL_HOME, else the system's usual place for such data.
Settings come from the environment or from .env in the home; without PORTAL_DATABASE_URL, the portal runs its
own Postgres:
  ${Object.keys(portalEnv.shape).join('\n  ')}

Exit codes: 0 done, 1 failed or refused, 2 wrong usage or no such license, 78 wrong configuration.`,
  );
program
  .command('serve', { isDefault: true })
  .description('Run the portal')
  .action(() => serve(environment));
program
  .addCommand(licenseCommand(run))
  .addCommand(keyCommand(run))
  .addCommand(planCommand(run))
  .addCommand(purchaseCommand(run))
  .addCommand(mailCommand(run))
  .addCommand(accountCommand(run))
  .addCommand(backupCommand(environment))
  .addCommand(restoreCommand(environment));

try {
  await withOwnExit(program).parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
}
