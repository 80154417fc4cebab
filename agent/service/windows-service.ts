import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { patientRemoval } from '#runtime/busy-file.ts';
import { StartupError } from '#runtime/program.ts';
import { awaitState, stopService } from '#runtime/windows/await-state.ts';
import { commandLineText } from '#runtime/windows/command-line-text.ts';
import { alwaysAllowed } from '#runtime/windows/folder-security.ts';
import { ServiceRefusedError, windowsServices } from '#runtime/windows/service-control.ts';
import { agentServiceName } from '#runtime/windows/service-names.ts';
import { serviceSid } from '#runtime/windows/service-sid.ts';
import { runSystemProgram } from '#runtime/windows/system-program.ts';
import { takeOnWindows } from '#runtime/windows/take-on-windows.ts';
import { type AgentHome, isAgentInstalled } from '../configuration/agent-home.ts';
import type { Questions } from '../setup/questions.ts';
import { readServerSettings } from '../setup/server-settings.ts';
import { hostFile, installProgram } from './install-program.ts';
import type { AgentService } from './managed-service.ts';
import { demandNoAgent, removeServers } from './remove-servers.ts';
import { NeedsRightsError, ServiceError } from './service-error.ts';

const service = agentServiceName;
/** Windows keeps it for this service alone: no password, and the rights of an ordinary user. */
const ownAccount = `NT SERVICE\\${service}`;
/** After this time the host ends the agent; its games are not the host's children. */
const stopTimeoutMs = 20_000;

/** Windows starts the host, which restarts an agent that exits, and passes a stop on as Ctrl-C. */
const hostCommand = (home: AgentHome, command: readonly string[]): string => {
  const options = ['run', '--name', service, '--restart', '--stop-timeout', String(stopTimeoutMs)];
  const folders = ['--log-dir', join(home.folder, 'logs'), '--cwd', home.folder];
  const args = [...options, ...folders, '--', ...command, 'run', '--home', home.folder];
  return commandLineText(join(home.programFolder, hostFile), args);
};

/** Windows's refusals in the words of this program. */
const inWords = async <T>(action: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceRefusedError && error.reason === 'needs-elevation')
      throw new NeedsRightsError(action);
    if (error instanceof ServiceRefusedError || error instanceof StartupError)
      throw new ServiceError(error.message);
    throw error;
  }
};

export const windowsService = (control = windowsServices()): AgentService => {
  const demandInstalled = async () => {
    if ((await control.state(service)) === 'absent')
      throw new ServiceError('No service is installed. Run: castellan-agent install');
  };
  const install: AgentService['install'] = async ({ home, account, starts, questions }) => {
    await takeOnWindows(home.folder, isAgentInstalled);
    await mkdir(join(home.folder, 'logs'), { recursive: true });
    // A running host locks its own file.
    await stopService(control, service);
    const { command } = await installProgram(home);
    const line = hostCommand(home, command);
    if ((await control.state(service)) !== 'absent' && (await control.command(service)) !== line) {
      await control.delete(service);
      await awaitState(control, service, ['absent']);
    }
    if ((await control.state(service)) === 'absent')
      await control.create(service, line, account ?? ownAccount);
    await control.describe(service, 'Connects the game servers of this machine to Castellan.');
    await control.recover(service);
    await closeHome(home);
    if (account === null) await grantFolders(home, questions);
    questions.say(`The service ${service} is installed for the account ${account ?? ownAccount}.`);
    if (!starts) return questions.say('It starts with Windows, or with: castellan-agent start');
    await control.start(service);
    await awaitState(control, service, ['running']);
    questions.say('It is running.');
  };
  const uninstall: AgentService['uninstall'] = async ({ home, removesData, say }) => {
    await stopService(control, service);
    if (removesData) await demandNoAgent(home);
    if ((await control.state(service)) === 'absent') say('No service is installed.');
    else {
      await control.delete(service);
      say('The service was removed. Games that it held keep running.');
      await removeProgram(home.programFolder, say);
    }
    if (removesData) await removeServers(home, say);
  };
  return {
    install: (request) => inWords('install', install(request)),
    uninstall: (request) => inWords('uninstall', uninstall(request)),
    start: () =>
      inWords(
        'start',
        (async () => {
          await demandInstalled();
          await control.start(service);
          await awaitState(control, service, ['running']);
        })(),
      ),
    stop: () =>
      inWords(
        'stop',
        (async () => {
          await demandInstalled();
          await stopService(control, service);
        })(),
      ),
    async state() {
      const state = await inWords('status', control.state(service));
      if (state === 'absent') return { is: 'absent', detail: 'No service is installed.' };
      const detail = `The service ${service} is installed and is ${state}.`;
      return { is: state === 'running' ? 'running' : 'stopped', detail };
    },
    async followSettings(home, say) {
      if ((await control.state(service)) === 'absent') return;
      for (const folder of await heldFolders(home))
        say(
          `The service may not change ${folder} until you run as an administrator: castellan-agent install`,
        );
    },
  };
};

/** Its secrets are for the service, Windows and the administrators. */
const closeHome = async ({ folder }: AgentHome): Promise<void> => {
  const grants = [...alwaysAllowed.map((sid) => `*${sid}:(OI)(CI)F`), `*${serviceSid(service)}:(OI)(CI)M`];
  await runSystemProgram('icacls.exe', [folder, '/inheritance:r', '/grant:r', ...grants]);
};

/** Folders of games that the agent itself starts, or whose files it changes. */
export const heldFolders = async (home: AgentHome): Promise<string[]> => {
  const folders: string[] = [];
  for (const id of await home.serverIds()) {
    const server = (await readServerSettings(home.configPath(id)))?.server;
    if (
      server &&
      existsSync(server.folder) &&
      (server.start.by === 'holder' || server.allow.files || server.allow.mods)
    )
      folders.push(server.folder);
  }
  return folders;
};

/** A large game has some hundred thousand files. */
const rightsTimeoutMs = 600_000;

const grantFolders = async (home: AgentHome, questions: Questions): Promise<void> => {
  for (const folder of await heldFolders(home)) {
    const grant = [folder, '/grant', `*${serviceSid(service)}:(OI)(CI)M`];
    questions.say(`The game in ${folder} runs under the agent's account, which has no access there yet.`);
    if (await questions.confirm(`Let ${ownAccount} read and change this folder?`, false))
      await runSystemProgram('icacls.exe', grant, rightsTimeoutMs);
    else questions.say(`To allow it later, run: icacls "${folder}" /grant "${grant[2]}"`);
  }
};

/** Everything but this running program, which Windows does not delete. */
const removeProgram = async (folder: string, say: (text: string) => void): Promise<void> => {
  const isInside = !relative(folder, process.execPath).startsWith('..');
  if (!isInside || !existsSync(folder)) return rm(folder, patientRemoval);
  const own = basename(process.execPath).toLowerCase();
  for (const name of await readdir(folder))
    if (name.toLowerCase() !== own) await rm(join(folder, name), patientRemoval);
  say(`This program cannot delete itself. Delete it once it has ended: ${process.execPath}`);
};
