import { resolve } from 'node:path';
import { Argument, Command, CommanderError, Option } from 'commander';
import { type ServicesAction, servicesActions } from '#contracts/desktop-services.ts';
import { product } from '#contracts/product.ts';
import { type ComponentName, componentNames } from '#contracts/stack.ts';
import { homeFolder } from '#runtime/home.ts';
import { version } from '#runtime/version.ts';
import { createAdmin, resetPassword } from './admin.ts';
import { type AgentConfigOptions, writeAgentConfig } from './agent.ts';
import { type BackupOptions, backUp } from './backup.ts';
import type { CommandContext, JsonOption } from './command-context.ts';
import { type DiagnosticsOptions, diagnostics } from './diagnostics.ts';
import {
  describeFailure,
  type ExitCode,
  exitCodes,
  exitCodesHelp,
  licenseExitCodesHelp,
} from './exit-codes.ts';
import { keyRotate } from './key-rotate/key-rotate.ts';
import { activateLicense, checkLicense, licenseStatus } from './license.ts';
import { moveHomeTo } from './move-home.ts';
import { restart, stop } from './power.ts';
import { type RestoreCommandOptions, restore } from './restore.ts';
import {
  installServices,
  restartInstalledServices,
  runInstalledService,
  servicesStatus,
  startInstalledServices,
  stopInstalledServices,
  uninstallServices,
} from './services.ts';
import { changeServicesForDesktop, type ForDesktopOptions } from './services-for-desktop.ts';
import { sql } from './sql.ts';
import { type StartOptions, start } from './start.ts';
import { status } from './status.ts';
import { openTerminal } from './terminal.ts';
import { installUpdate } from './update.ts';

export interface CommandLineOptions {
  /** Without the executable and the script. */
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where the programs lie beside each other. */
  readonly programsFolder: string;
}

/** Runs one command of `castellan` and returns its exit code. */
export const runCommandLine = async (options: CommandLineOptions): Promise<ExitCode> => {
  const terminal = openTerminal();
  let exitCode: ExitCode = exitCodes.done;
  const program = new Command('castellan')
    .description('Runs and looks after a Castellan stack without a window.')
    .version(version)
    .addOption(new Option('--home <folder>', 'where the installation lives (or CASTELLAN_HOME)'))
    .exitOverride()
    .addHelpText('after', exitCodesHelp);

  const context = (): CommandContext => {
    const { home } = program.opts<{ home?: string }>();
    return {
      home: home ? resolve(home) : homeFolder(product.name, 'CASTELLAN_HOME', options.variables),
      programsFolder: options.programsFolder,
      terminal,
    };
  };
  const command = (parent: Command, usage: string, summary: string) =>
    parent.command(usage).description(summary).addHelpText('after', exitCodesHelp);
  const jsonOption = ['--json', 'answer in JSON'] as const;

  command(program, 'start', 'start the stack and supervise it until Ctrl-C')
    .option('--use-free-ports', 'take the next free port instead of one that another program has')
    .action((options: StartOptions) => start(context(), options));
  command(program, 'stop', 'stop the running stack').action(() => stop(context()));
  command(program, 'status', 'show the stack and its components')
    .option(...jsonOption)
    .action((json: JsonOption) => status(context(), json));
  command(
    program,
    'restart',
    'read .env again and restart one component, or all (also when a setting that they share was changed)',
  )
    .addArgument(new Argument('[component]').choices(componentNames))
    .action((component?: ComponentName) => restart(context(), component));

  const license = command(program, 'license', 'the license of this installation');
  const licenseCommand = (name: string, summary: string) =>
    command(license, name, `${summary}; the exit code tells its state`)
      .option(...jsonOption)
      .addHelpText('after', licenseExitCodesHelp.slice(1));
  const endWith = async (ended: Promise<ExitCode>) => {
    exitCode = await ended;
  };
  licenseCommand('activate', 'bind the license to this machine; the key is asked, or read from stdin')
    // A key among the arguments still works, but every account of the machine can read it there.
    .argument('[key]')
    .usage('[options]')
    .action((key: string | undefined, json: JsonOption) => endWith(activateLicense(context(), key, json)));
  licenseCommand('status', 'show the license as it is known here').action((json: JsonOption) =>
    endWith(licenseStatus(context(), json)),
  );
  licenseCommand('check', 'ask the portal now').action((json: JsonOption) =>
    endWith(checkLicense(context(), json)),
  );

  const admin = command(program, 'admin', 'the people who may use this installation');
  command(admin, 'create', 'make an admin; the password is asked, or read from stdin')
    .requiredOption('--name <name>', 'the name to sign in with')
    .option('--role <role>', 'owner, admin, moderator, viewer, or a role of your own', 'owner')
    .option(...jsonOption)
    .action((given: JsonOption & { name: string; role: string }) => createAdmin(context(), given));
  command(admin, 'reset-password <name>', 'set a new password and end all sessions of that admin')
    .option('--clear-totp', 'also end two-step sign-in, for somebody who lost the device and the codes')
    .option('--keep-api-keys', 'leave the API keys of that admin in force; otherwise they are revoked')
    .action((name: string, given: { clearTotp?: boolean; keepApiKeys?: boolean }) =>
      resetPassword(context(), name, given),
    );

  const agent = command(program, 'agent', 'the Game Agents beside your game servers');
  command(agent, 'config <server>', "write the config.json of a server's agent; the server by name or id")
    .option('--out <file>', 'where to; an existing file is left alone', 'config.json')
    .option('--api-url <url>', 'how that machine reaches Castellan (default: as the settings have it)')
    .action((server: string, given: AgentConfigOptions) => writeAgentConfig(context(), server, given));

  const services = command(
    program,
    'services',
    'the stack as Windows Services (Windows, as an administrator)',
  );
  command(
    services,
    'install',
    'install and start the three services; Windows starts them from then on',
  ).action(() => installServices(context(), options.variables));
  command(services, 'start', 'read .env again and start them').action(() =>
    startInstalledServices(context()),
  );
  command(services, 'stop', 'stop them until the next start of Windows').action(() =>
    stopInstalledServices(context()),
  );
  command(services, 'restart', 'read .env again and restart them').action(() =>
    restartInstalledServices(context()),
  );
  command(services, 'status', 'what Windows says of them, and what the API says')
    .option(...jsonOption)
    .action((json: JsonOption) => servicesStatus(context(), json));
  command(services, 'uninstall', 'stop and remove them; all data stays').action(() =>
    uninstallServices(context()),
  );
  services
    .command('run', { hidden: true })
    .addArgument(new Argument('<component>').choices(componentNames))
    .action((component: ComponentName) => runInstalledService(context(), component));

  services
    .command('for-desktop', { hidden: true })
    .addArgument(new Argument('<act>').choices(servicesActions))
    .argument('<wire>')
    .requiredOption('--user <name>')
    .addOption(new Option('--component <name>').choices(componentNames))
    .action((act: ServicesAction, wire: string, given: ForDesktopOptions) =>
      changeServicesForDesktop(context(), act, wire, { ...given, variables: options.variables }),
    );

  const update = program.command('update', { hidden: true });
  update
    .command('install', { hidden: true })
    .argument('<folder>')
    .argument('<version>')
    .action((folder: string, version: string) =>
      installUpdate(context(), options.variables, { folder, version }),
    );

  command(program, 'move-home <folder>', 'move everything to another folder; the old one is kept').action(
    (folder: string) => moveHomeTo(context(), folder, options.variables),
  );

  command(program, 'backup', 'take a backup of everything, try it out and keep it; the stack may run')
    .option('--to <folder>', 'where to, such as another disk (default: backups/ in the home)')
    .action((given: BackupOptions) => backUp(context(), given));
  command(program, 'restore <backup>', 'put a backup in the place of what is there, which is kept beside it')
    .option('--stop', 'stop the stack first if it runs')
    .action((backup: string, given: RestoreCommandOptions) => restore(context(), backup, given));

  const key = command(program, 'key', 'the key that protects what is kept secret');
  command(
    key,
    'rotate',
    'make a new key and seal every secret anew; may be interrupted and given again',
  ).action(() => keyRotate(context()));

  command(program, 'diagnostics', 'put what helps to understand a trouble into one .zip, without secrets')
    .option('--out <file>', 'where to: a new file, or a folder (default: the current one)')
    .action((given: DiagnosticsOptions) => diagnostics(context(), given));

  command(program, 'sql [statement]', 'run one SQL statement as the operator (audited; also from stdin)')
    .option(...jsonOption)
    .action((statement: string | undefined, json: JsonOption) => sql(context(), statement, json));

  try {
    await program.parseAsync(options.args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own words already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const failure = describeFailure(error);
    terminal.complain(failure.text);
    return failure.exitCode;
  }
};
