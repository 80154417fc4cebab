import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { warnOfForeignAccess } from '#runtime/foreign-access.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { demandOwned, demandOwnedFiles, foreignHand } from '#runtime/owned-path.ts';
import { runProgram } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { version } from '#runtime/version.ts';
import { agentHome } from '../configuration/agent-home.ts';
import { type AgentConfig, agentSecrets } from '../configuration/config.ts';
import { exitCodes } from '../configuration/exit-codes.ts';
import { AlreadyRunningError, holdStateFolder } from '../configuration/state-folder.ts';
import { toPlainLine } from '../plain-log.ts';
import { programFiles } from '../renewal/program-files.ts';
import { openRenewingServers } from '../renewal/renewing-servers.ts';
import { openAgentLog } from '../service/agent-log.ts';
import { runServers } from '../service/run-servers.ts';
import type { Action } from './action.ts';
import { readHomeArguments } from './home-arguments.ts';

const help = `Connects all game servers of this machine until you stop it; the service does this.
When you add, change or remove a game server, only that one is started, restarted or stopped.

  --home <folder>  the folder for the agent's settings

It logs to standard error and, without a system journal, to agent.log in that folder.
`;

export const run: Action = {
  usage: '[--home <folder>]',
  summary: 'connect all game servers of this machine; the service does this',
  async run(args, context) {
    const values = readHomeArguments(args, { trial: { type: 'boolean' } });
    if (values === null || values.help) {
      if (values) context.say(help);
      else context.complain('These arguments are wrong. See castellan-agent run --help.');
      return values ? 0 : exitCodes.usage;
    }
    const home = agentHome(values.home ?? null, context.environment);
    const fault = await foreignHand(home.folder, 'way').catch(() => null);
    if (fault !== null) {
      context.complain(fault);
      return exitCodes.failure;
    }
    try {
      await mkdir(home.folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      context.complain(`The folder ${home.folder} cannot be created: ${(error as Error).message}`);
      return exitCodes.config;
    }
    // systemd stores the output with the time and the unit.
    const hasJournal = context.environment.JOURNAL_STREAM !== undefined;
    // As root, only once the folder is known to be ours: its owner could not write to a file of root's there.
    let keep: ReturnType<typeof openAgentLog> | null = null;
    const write = (line: string) => {
      const plain = toPlainLine(line);
      process.stderr.write(plain);
      keep?.(plain);
    };
    const logFor = (serverId: string | null, config: AgentConfig | null): Log => {
      const redact = createRedactor(config ? agentSecrets(config) : []);
      const log = createLog({ component: 'agent', redact, destination: { write } });
      return serverId === null ? log : log.child({ server: serverId });
    };
    const log = logFor(null, null);
    // The process that keeps a game running (its holder) outlives the trial, and the program on trial may be gone by then.
    const holderProgram = values.trial ? [programFiles(home.programFolder).current] : undefined;
    await runProgram(
      async ({ resources, stop }) => {
        await demandOwned(home.folder, dirname(home.serverFolder('any')));
        await demandOwnedFiles(home.programFolder);
        if (!hasJournal) keep = openAgentLog(join(home.folder, 'agent.log'));
        log.info({ version, home: home.folder }, 'starting Castellan Game Agent');
        warnOfForeignAccess(home.folder, log);
        try {
          resources.use(
            await openRenewingServers({
              home,
              isTrial: values.trial ?? false,
              async open(events) {
                const opening = new AsyncDisposableStack();
                opening.use(await holdStateFolder(home.folder));
                const servers = opening.use(runServers({ home, logFor, events, holderProgram, log }));
                return {
                  isBusy: servers.isBusy,
                  renewalChanged: servers.renewalChanged,
                  [Symbol.asyncDispose]: () => opening.disposeAsync(),
                };
              },
              onRenewed: () => stop('a new version is in place', exitCodes.renewed),
              onFailure: () => stop('the servers could not be started again', exitCodes.failure),
              log,
            }),
          );
        } catch (error) {
          if (!(error instanceof AlreadyRunningError)) throw error;
          log.fatal(`an agent is already running with the data folder ${home.folder}`);
          stop('it is running already', exitCodes.alreadyRunning);
          return;
        }
        // The version that runs this trial has ended, or has seen enough.
        if (values.trial) process.stdin.on('end', () => stop('the trial is over')).resume();
      },
      // A command in flight gets 5 s of it.
      { log, stopDeadlineMs: 15_000 },
    );
    return 0;
  },
};
