import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { nameOf } from '#runtime/owned-path.ts';
import { firstOfAnother } from '#runtime/take-folder.ts';
import { type AgentHome, agentHome } from '../configuration/agent-home.ts';
import { asOwnerOf, giveFolder, ownerOnTheWay } from '../configuration/as-owner.ts';
import { commandPath } from '../configuration/own-command.ts';
import { installProgram } from './install-program.ts';
import {
  accountsOfService,
  chooseAccount,
  fitStartAccounts,
  type LinuxAccount,
  removeOwnAccount,
  tryProgram,
  unitsOf,
} from './linux-account.ts';
import type { AgentService, ServiceState } from './managed-service.ts';
import { demandNoAgent, removeServers } from './remove-servers.ts';
import { NeedsRightsError, ServiceError } from './service-error.ts';
import { startFault } from './start-fault.ts';
import { isUnitPath, powerRule, powerRulePath, systemdUnit, unitName } from './systemd-unit.ts';
import { readOnlyUnits, withoutSystemd } from './without-systemd.ts';

const run = promisify(execFile);
const unitPath = join('/etc/systemd/system', unitName);
const publicMode = 0o644;
const commandMode = 0o755;

/** The same check as systemd's own sd_booted(3). */
const isSystemdRunning = (): boolean => existsSync('/run/systemd/system');

/** The pasted command line closes new files to others, but polkit reads its rules under its own account. */
const writePublicly = async (path: string, text: string, mode: number): Promise<void> => {
  const before = process.umask(0o022);
  try {
    await writeFileAtomically(path, text, mode);
  } finally {
    process.umask(before);
  }
};

const systemctl = async (...args: string[]): Promise<string> => {
  try {
    return (await run('systemctl', args, { timeout: 60_000 })).stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') throw new ServiceError('This machine has no systemd.');
    throw new ServiceError(`systemctl ${args.join(' ')} failed: ${stderr.trim() || `it answers ${code}`}`);
  }
};

const demandRoot = (action: string, home?: AgentHome) => {
  if (process.getuid?.() !== 0) throw new NeedsRightsError(action, home?.folder);
};

export const systemdService = (): AgentService => ({
  async install({ home, account: asked, starts, questions }) {
    demandRoot('install', home);
    if (starts && !isSystemdRunning())
      throw new ServiceError(
        `systemd is not running here. ${withoutSystemd(`castellan-agent run --home ${home.folder}`)}\nOr only write the unit for a later start: castellan-agent install --no-start`,
      );
    if (!isUnitPath(home.folder))
      throw new ServiceError(
        'systemd does not accept a folder with quotes or backslashes. Choose another one with --home.',
      );
    const account = await chooseAccount(home, asked);
    await demandNoStrangers(home, account);
    await asOwnerOf(home.folder, () => mkdir(home.folder, { recursive: true }));
    const { command } = await installProgram(home);
    await fitStartAccounts(home, account.name);
    await asOwnerOf(home.folder, () => chmod(home.folder, 0o700));
    await giveFolder(home.folder, account);
    await tryProgram(command, account);
    const unit = systemdUnit({ program: command, home: home.folder, account: account.name });
    await writePublicly(unitPath, unit, publicMode).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EROFS') throw error;
      throw new ServiceError(readOnlyUnits);
    });
    await writePowerRule(home, account.name, questions.say);
    await writeCommand(home, command);
    if (isSystemdRunning()) await systemctl('daemon-reload');
    // Works even when systemd does not run: it makes the link that the next boot reads.
    await systemctl('enable', '--quiet', unitName);
    questions.say(`The service ${unitName} is installed for the account ${account.name}.`);
    if (!starts) return questions.say(`It starts with the machine, or with: castellan-agent start`);
    await forgetFailures();
    await startUnit('restart', home);
    questions.say('It is running.');
  },
  async uninstall({ home, removesData, say }) {
    demandRoot('uninstall');
    if (existsSync(unitPath) && isSystemdRunning()) await systemctl('stop', unitName);
    if (removesData) await demandNoAgent(home);
    if (existsSync(unitPath)) {
      await systemctl('disable', '--quiet', unitName);
      await rm(unitPath, { force: true });
      await rm(powerRulePath, { force: true });
      await removeCommand();
      if (isSystemdRunning()) await systemctl('daemon-reload');
      await asOwnerOf(home.programFolder, () => rm(home.programFolder, { recursive: true, force: true }));
      say('The service was removed. Games that it held keep running.');
    } else say('No service is installed.');
    if (!removesData) return;
    await removeServers(home, say);
    await removeOwnAccount();
  },
  async start() {
    demandRoot('start');
    await demandInstalled();
    await forgetFailures();
    await startUnit('start', agentHome(null, {}));
  },
  async stop() {
    demandRoot('stop');
    await demandInstalled();
    await systemctl('stop', unitName);
  },
  state,
  async followSettings(home, say) {
    const account = await installedAccount();
    if (account === null) return;
    if (process.getuid?.() !== 0)
      return say('If the folder or the way to start changed, run: sudo castellan-agent install');
    const wanted = await chooseAccount(home, account === 'root' ? 'root' : null).catch(() => null);
    if (wanted?.name !== account)
      return say(
        `The service runs as ${account}, which does not own this folder. Run: castellan-agent install`,
      );
    const stranger = await demandNoStrangers(home, wanted).catch((error: Error) => error);
    if (stranger) return say(stranger.message);
    await fitStartAccounts(home, account);
    await giveFolder(home.folder, wanted);
    await writePowerRule(home, account, say);
  },
});

/**
 * What another account has put into the folder would run with the rights of the service's. The accounts of earlier installations
 * count as the service's own.
 * @throws {ServiceError}
 */
const demandNoStrangers = async ({ folder }: AgentHome, account: LinuxAccount): Promise<void> => {
  const accounts = [0, account.uid, ...(await accountsOfService(await installedAccount()))];
  const onTheWay = await ownerOnTheWay(folder);
  const stranger =
    onTheWay && !accounts.includes(onTheWay.uid)
      ? { path: folder, uid: onTheWay.uid }
      : existsSync(folder) && (await firstOfAnother(folder, accounts));
  if (!stranger) return;
  const name = await nameOf(stranger.uid);
  throw new ServiceError(
    `${stranger.path} belongs to the account ${name}, which could change what runs here as ${account.name}. Install the agent for that account (--account ${name}). Or, if you trust what is in the folder, first give it to root: chown -R root "${folder}"`,
  );
};

/** @throws {ServiceError} with the cause where systemd names one */
const startUnit = async (verb: 'start' | 'restart', { folder }: AgentHome): Promise<void> => {
  await systemctl(verb, unitName).catch(async (error: Error) => {
    const cause = startFault(await propertiesOfUnit().catch(() => new Map()), folder);
    throw cause === null ? error : new ServiceError(`The service does not start: ${cause}`);
  });
};

const propertiesOfUnit = async (): Promise<ReadonlyMap<string, string>> => {
  const wanted = '--property=ActiveState,SubState,MainPID,Result,ExecMainStatus';
  const printed = await systemctl('show', wanted, unitName);
  return new Map(printed.split('\n').map((line) => line.split('=', 2) as [string, string]));
};

/** Starts that a person requests, as by several command lines in a row, must not count as those of a failing service. */
const forgetFailures = () => systemctl('reset-failed', unitName).catch(() => undefined);

const demandInstalled = async () => {
  if (!existsSync(unitPath)) throw new ServiceError('No service is installed. Run: castellan-agent install');
  if (!isSystemdRunning())
    throw new ServiceError(`systemd is not running here. ${withoutSystemd('castellan-agent run')}`);
};

const state = async (): Promise<ServiceState> => {
  if (!existsSync(unitPath)) return { is: 'absent', detail: 'No service is installed.' };
  if (!isSystemdRunning())
    return { is: 'stopped', detail: 'The service is installed, but systemd is not running here.' };
  const values = await propertiesOfUnit();
  const account = await installedAccount();
  if (values.get('ActiveState') === 'active')
    return {
      is: 'running',
      detail: `The service runs as process ${values.get('MainPID')}, under ${account}.`,
    };
  const why =
    values.get('Result') === 'success' ? '' : ` (${values.get('Result')}); see: journalctl -u ${unitName}`;
  const cause = startFault(values, agentHome(null, {}).folder);
  const detail = `The service is installed and is ${values.get('ActiveState')}${why}.`;
  return { is: 'stopped', detail: cause === null ? detail : `${detail} ${cause}` };
};

const installedAccount = async (): Promise<string | null> => {
  const unit = await readFile(unitPath, 'utf8').catch(() => '');
  return /^User=(\S+)$/m.exec(unit)?.[1] ?? null;
};

const commandMark = '# Made by castellan-agent install.';
const isOwnCommand = async (): Promise<boolean> => {
  const text = await readFile(commandPath, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  return typeof text === 'string' ? text.includes(commandMark) : text.code === 'ENOENT';
};

/** For people. The command of another data folder would work in the wrong one; files that someone else put there stay. */
const writeCommand = async (home: AgentHome, command: readonly string[]): Promise<void> => {
  if (home.folder !== agentHome(null, {}).folder || !(await isOwnCommand())) return;
  const program = command.map((word) => `'${word}'`).join(' ');
  await writePublicly(commandPath, `#!/bin/sh\n${commandMark}\nexec ${program} "$@"\n`, commandMode).catch(
    (error: NodeJS.ErrnoException) => {
      // The folder may be missing or read-only; absolute paths work too.
      if (error.code !== 'ENOENT' && error.code !== 'EROFS') throw error;
    },
  );
};

const removeCommand = async (): Promise<void> => {
  if (await isOwnCommand()) await rm(commandPath, { force: true });
};

/** An agent as root needs none. */
const writePowerRule = async (
  home: AgentHome,
  account: string,
  say: (text: string) => void,
): Promise<void> => {
  const units = await unitsOf(home);
  if (units.length === 0 || account === 'root') return rm(powerRulePath, { force: true });
  if (!existsSync(dirname(powerRulePath))) {
    say(
      `To start and stop ${units.join(', ')} the agent needs polkit. Install it (on Debian: apt install polkitd), then run: castellan-agent install`,
    );
    return;
  }
  await writePublicly(powerRulePath, powerRule(account, units), publicMode);
  say(`${account} may now start and stop ${units.join(', ')} and no other unit.`);
};
