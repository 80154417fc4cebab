import { resolve } from 'node:path';
import { Argument, Command, CommanderError, Option } from 'commander';
import { type ServicesAction, servicesActions } from '#contracts/desktop/desktop-services.ts';
import { product } from '#contracts/kernel/product.ts';
import { type ComponentName, componentNames } from '#contracts/operations/stack.ts';
import { actAsOwner } from '#runtime/act-as-owner.ts';
import { homeFolder } from '#runtime/home.ts';
import { findSystemProxy } from '#runtime/outside/system-proxy.ts';
import { setFoundProxy } from '#runtime/system-env.ts';
import { version as installed, version } from '#runtime/version.ts';
import { readUpdateSource } from '../updates/update-source.ts';
import { runInstaller } from '../updates/windows-installer.ts';
import { createAdmin, resetPassword } from './admin.ts';
import { writeAgentConfig } from './agent.ts';
import { backUp } from './backup.ts';
import type { CommandContext, JsonOption } from './command-context.ts';
import { diagnostics } from './diagnostics.ts';
import {
  CommandFailure,
  describeFailure,
  type ExitCode,
  exitCodes,
  exitCodesHelp,
  licenseExitCodesHelp,
} from './exit-codes.ts';
import { keyForget } from './key-forget.ts';
import { keyRotate } from './key-rotate/key-rotate.ts';
import { activateLicense, checkLicense, licenseStatus } from './license.ts';
import { moveHomeTo } from './move-home.ts';
import { restart, stop } from './power.ts';
import { restore } from './restore.ts';
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

type Variables = Readonly<Record<string, string | undefined>>;

/** `castellan update install`: only the desktop runs this, as an administrator. */
const installUpdate = async (
  { programsFolder }: CommandContext,
  variables: Variables,
  { folder, version }: { readonly folder: string; readonly version: string },
): Promise<void> => {
  const programFiles = variables.ProgramW6432 ?? variables.ProgramFiles;
  if (process.platform !== 'win32' || programFiles === undefined)
    throw new CommandFailure('This command updates installations on Windows only.', exitCodes.usage);
  const source = await readUpdateSource(programsFolder);
  if (source === null) throw new CommandFailure('This build has no source of updates.', exitCodes.usage);
  await runInstaller({ from: folder, version, programFiles, source, installed });
};

/** Runs one command of `castellan` and returns its exit code. */
export const runCommandLine = async (options: {
  /** Without the executable and the script. */
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The folder that holds the programs. */
  readonly programsFolder: string;
}): Promise<ExitCode> => {
  const terminal = openTerminal();
  let exitCode: ExitCode = exitCodes.done;
  const program = new Command('castellan')
    .description('Runs and manages a Castellan stack without a window.')
    .version(version)
    .addOption(new Option('--home <folder>', 'the data folder of the installation (or set CASTELLAN_HOME)'))
    .exitOverride()
    .addHelpText('after', exitCodesHelp);

  const context = (): CommandContext => {
    const { home } = program.opts<{ home?: string }>();
    return {
      home: home ? resolve(home) : homeFolder(product.name, 'CASTELLAN_HOME', options.variables),
      programsFolder: options.programsFolder,
      variables: options.variables,
      terminal,
    };
  };
  const command = (parent: Command, usage: string, summary: string) =>
    parent.command(usage).description(summary).addHelpText('after', exitCodesHelp);
  const jsonOption = ['--json', 'print JSON'] as const;

  command(program, 'start', 'start the stack and supervise it until you press Ctrl-C')
    .option('--use-free-ports', 'use the next free port where another program has the usual one')
    .action((options: StartOptions) => start(context(), options));
  command(program, 'stop', 'stop the running stack').action(() => stop(context()));
  command(program, 'status', 'show how the stack and its parts are doing')
    .option(...jsonOption)
    .action((json: JsonOption) => status(context(), json));
  command(
    program,
    'restart',
    'read .env again and restart one part, or all of them (needed when a shared setting was changed)',
  )
    .addArgument(new Argument('[component]').choices(componentNames))
    .action((component?: ComponentName) => restart(context(), component));

  const license = command(program, 'license', 'manage the license of this installation');
  const licenseCommand = (name: string, summary: string) =>
    command(license, name, `${summary}; the exit code says the state`)
      .option(...jsonOption)
      .addHelpText('after', licenseExitCodesHelp.slice(1));
  const endWith = async (ended: Promise<ExitCode>) => {
    exitCode = await ended;
  };
  licenseCommand('activate', 'bind the license to this machine; asks for the key, or reads it from stdin')
    // A key as an argument still works, but every account on the machine can read it there.
    .argument('[key]')
    .usage('[options]')
    .action((key: string | undefined, json: JsonOption) => endWith(activateLicense(context(), key, json)));
  licenseCommand('status', 'show the license as this machine knows it').action((json: JsonOption) =>
    endWith(licenseStatus(context(), json)),
  );
  licenseCommand('check', 'check the license with the portal now').action((json: JsonOption) =>
    endWith(checkLicense(context(), json)),
  );

  const admin = command(program, 'admin', 'manage the people who may sign in');
  command(admin, 'create', 'create an admin; asks for the password, or reads it from stdin')
    .requiredOption('--name <name>', 'the name to sign in with')
    .option('--role <role>', 'owner, admin, moderator, viewer, or a role that you have made', 'owner')
    .option(...jsonOption)
    .action((given: JsonOption & { name: string; role: string }) => createAdmin(context(), given));
  command(admin, 'reset-password <name>', 'set a new password and sign that admin out everywhere')
    .option('--clear-totp', 'also turn off two-step sign-in, for an admin who lost the device and the codes')
    .option('--keep-api-keys', 'keep the API keys of that admin (default: revoke them)')
    .action((name: string, given: { clearTotp?: boolean; keepApiKeys?: boolean }) =>
      resetPassword(context(), name, given),
    );

  const agent = command(program, 'agent', 'manage the Game Agents beside your game servers');
  command(
    agent,
    'config <server>',
    "write the config.json for a server's agent; name the server or give its ID",
  )
    .option('--out <file>', 'the file to write; an existing file is never changed', 'config.json')
    .option(
      '--api-url <url>',
      'the address at which that machine reaches Castellan (default: from the settings)',
    )
    .action((server: string, given: Parameters<typeof writeAgentConfig>[2]) =>
      writeAgentConfig(context(), server, given),
    );

  const services = command(
    program,
    'services',
    'run the stack as Windows Services (on Windows, as an administrator)',
  );
  command(
    services,
    'install',
    'install and start the three services; Windows then starts them by itself',
  ).action(() => installServices(context(), options.variables));
  command(services, 'start', 'read .env again and start them').action(() =>
    startInstalledServices(context()),
  );
  command(services, 'stop', 'stop them until Windows starts again').action(() =>
    stopInstalledServices(context()),
  );
  command(services, 'restart', 'read .env again and restart them').action(() =>
    restartInstalledServices(context()),
  );
  command(services, 'status', 'show what Windows and the API say about them')
    .option(...jsonOption)
    .action((json: JsonOption) => servicesStatus(context(), json));
  command(services, 'uninstall', 'stop and remove them; your data is kept').action(() =>
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

  command(program, 'move-home <folder>', 'move everything to another folder; the old folder is kept').action(
    (folder: string) => moveHomeTo(context(), folder, options.variables),
  );

  command(program, 'backup', 'back up everything and test the backup; the stack may be running')
    .option(
      '--to <folder>',
      'the folder for it, such as one on another disk (default: backups/ in the data folder)',
    )
    .action((given: Parameters<typeof backUp>[1]) => backUp(context(), given));
  command(program, 'restore <backup>', 'replace the database by a backup; what was there is kept beside it')
    .option('--stop', 'stop the stack first if it is running')
    .action((backup: string, given: Parameters<typeof restore>[2]) => restore(context(), backup, given));

  const key = command(program, 'key', 'manage the key that encrypts stored secrets');
  command(key, 'rotate', 'make a new key and re-encrypt all secrets; safe to interrupt and run again').action(
    () => keyRotate(context()),
  );
  command(
    key,
    'forget',
    'destroy all older keys at once, as after a theft; says how many secrets still need them, and asks first',
  )
    .option('--yes', 'do not ask')
    .action((given: Parameters<typeof keyForget>[1]) => keyForget(context(), given));

  command(program, 'diagnostics', 'collect what helps to find a fault in one .zip, without secrets')
    .option('--out <file>', 'a new file, or a folder (default: the current folder)')
    .action((given: Parameters<typeof diagnostics>[1]) => diagnostics(context(), given));

  command(
    program,
    'sql [statement]',
    'run one SQL statement as the operator, from the argument or stdin; it is audited',
  )
    .option(...jsonOption)
    .action((statement: string | undefined, json: JsonOption) => sql(context(), statement, json));

  program.hook('preAction', async (_program, action) => {
    const word = firstWordOf(action);
    if (!runsAsCaller.has(word)) await actAsOwner(context().home);
    if (reachesOutside.has(word)) setFoundProxy(await findSystemProxy(context().home));
  });

  try {
    await program.parseAsync(options.args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const failure = describeFailure(error);
    terminal.complain(failure.text);
    return failure.exitCode;
  }
};

/** The stack keeps the account that starts it, and the others change what only an administrator may. */
const runsAsCaller: ReadonlySet<string> = new Set(['start', 'services', 'update', 'move-home']);

/** The supervisor of a stack finds the proxy of the computer itself. */
const reachesOutside: ReadonlySet<string> = new Set(['license', 'diagnostics']);

/** The word after `castellan`. */
const firstWordOf = (command: Command): string =>
  command.parent?.parent ? firstWordOf(command.parent) : command.name();
