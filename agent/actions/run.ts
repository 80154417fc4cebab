import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createLog, type Log } from '#runtime/log.ts';
import { runProgram } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { version } from '#runtime/version.ts';
import { agentHome } from '../configuration/agent-home.ts';
import type { AgentConfig } from '../configuration/config.ts';
import { exitCodes } from '../configuration/exit-codes.ts';
import { demandOwned, demandOwnedFiles } from '../configuration/owned-path.ts';
import { AlreadyRunningError, holdStateFolder } from '../configuration/state-folder.ts';
import { toPlainLine } from '../plain-log.ts';
import { programFiles } from '../renewal/program-files.ts';
import { openRenewingServers } from '../renewal/renewing-servers.ts';
import { openAgentLog } from '../service/agent-log.ts';
import { runServers } from '../service/run-servers.ts';
import type { Action } from './action.ts';
import { readHomeArguments } from './home-arguments.ts';

const help = `Runs all game servers of this machine until it is stopped; the service does this.
A game server that is added, changed or removed meanwhile is started, restarted or stopped alone.

  --home <folder>  where the agent keeps its settings

It logs to standard error and, where no journal takes that, to agent.log in the home.
`;

const secretsOf = (config: AgentConfig | null) =>
  config === null ? [] : [config.secret, ...(config.console ? [config.console.password] : [])];

export const run: Action = {
  usage: '[--home <folder>]',
  summary: 'run all game servers of this machine; the service does this',
  async run(args, context) {
    const values = readHomeArguments(args, { trial: { type: 'boolean' } });
    if (values === null || values.help) {
      if (values) context.say(help);
      else context.complain('These arguments are not understood. See castellan-agent run --help.');
      return values ? 0 : exitCodes.usage;
    }
    const home = agentHome(values.home ?? null, context.environment);
    try {
      await mkdir(home.folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      context.complain(`The home ${home.folder} cannot be made: ${(error as Error).message}`);
      return exitCodes.config;
    }
    // systemd keeps what is said, with the time and the unit.
    const hasJournal = context.environment.JOURNAL_STREAM !== undefined;
    const keep = hasJournal ? null : openAgentLog(join(home.folder, 'agent.log'));
    const write = (line: string) => {
      const plain = toPlainLine(line);
      process.stderr.write(plain);
      keep?.(plain);
    };
    const logFor = (serverId: string | null, config: AgentConfig | null): Log => {
      const redact = createRedactor(secretsOf(config));
      const log = createLog({ component: 'agent', redact, destination: { write } });
      return serverId === null ? log : log.child({ server: serverId });
    };
    const log = logFor(null, null);
    // A holder outlives the trial; the program on trial may be gone then.
    const holderProgram = values.trial ? [programFiles(home.programFolder).current] : undefined;
    await runProgram(
      async ({ resources, stop }) => {
        log.info({ version, home: home.folder }, 'Castellan Game Agent starts');
        await demandOwned(home.folder, dirname(home.serverFolder('any')));
        await demandOwnedFiles(home.programFolder);
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
          log.fatal(`An agent runs with the home ${home.folder} already.`);
          stop('it is running already', exitCodes.alreadyRunning);
          return;
        }
        // The version that tries this one out has ended, or has seen enough.
        if (values.trial) process.stdin.on('end', () => stop('the trial is over')).resume();
      },
      // A command in flight gets 5 s to end.
      { log, stopDeadlineMs: 15_000 },
    );
    return 0;
  },
};
