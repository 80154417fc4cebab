import { dirname } from 'node:path';
import { createLog, type Log } from '#runtime/log.ts';
import { setUpOutside } from '#runtime/outside/outside.ts';
import { demandOwned } from '#runtime/owned-path.ts';
import { runProgram } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { version } from '#runtime/version.ts';
import { startAgent } from './agent.ts';
import { type AgentConfig, agentSecrets, canOthersRead } from './configuration/config.ts';
import { exitCodes } from './configuration/exit-codes.ts';
import { AlreadyRunningError } from './configuration/state-folder.ts';
import { toPlainLine } from './plain-log.ts';

export const runAgent = async (config: AgentConfig, path: string): Promise<void> => {
  const log: Log = createLog({
    component: 'agent',
    redact: createRedactor(agentSecrets(config)),
    destination: { write: (line) => void process.stderr.write(toPlainLine(line)) },
  });
  await runProgram(
    async ({ resources, stop }) => {
      log.info({ version, server: config.serverId, game: config.game }, 'starting Castellan Game Agent');
      setUpOutside(config.outside, log);
      await demandOwned(dirname(path), path);
      if (await canOthersRead(path))
        log.warn(
          `other accounts on this machine can read the secret in ${path}; to fix it, run: chmod 600 ${path}`,
        );
      const onFailure = (error: unknown) => {
        log.fatal({ err: error }, 'could not write the journal, so no command can be run; is the disk full?');
        stop('the journal cannot be written', exitCodes.failure);
      };
      try {
        resources.use(await startAgent({ config, log, onFailure }));
      } catch (error) {
        if (!(error instanceof AlreadyRunningError)) throw error;
        log.fatal(error.message);
        stop('it is running already', exitCodes.alreadyRunning);
      }
    },
    // A command in flight gets 5 s to finish.
    { log, stopDeadlineMs: 15_000 },
  );
};
