import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '#runtime/env.ts';
import type { Log } from '#runtime/log.ts';
import { type OutsideSettings, setUpOutside } from '#runtime/outside/outside.ts';
import { demandOwned } from '#runtime/owned-path.ts';
import { StartupError } from '#runtime/program.ts';
import { sleep } from '#runtime/sleep.ts';
import { type Agent, startAgent } from '../agent.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import { type AgentConfig, canOthersRead, readAgentConfig } from '../configuration/config.ts';
import type { OpenServers, ServersEvents } from '../renewal/renewing-servers.ts';
import { outsideKey, shareOutside } from './shared-outside.ts';

interface Run {
  /** Digest of the configuration's content. */
  readonly digest: string;
  /** Null while it does not run. */
  readonly agent: Agent | null;
  readonly retryAtMs: number;
}

const usualLookMs = 3000;
const usualRetryMs = 30_000;

/**
 * Runs all game servers of a data folder, and follows its folders: a server that is added, changed or removed is started,
 * restarted or stopped, and no other. A server whose new configuration is broken keeps the previous one.
 */
export const runServers = (options: {
  readonly home: AgentHome;
  /** The log of one server: its lines name the server, and contain none of these secrets. */
  readonly logFor: (serverId: string, config: AgentConfig | null) => Log;
  readonly events: ServersEvents;
  /** The command that starts the holders of games; this program by default. */
  readonly holderProgram?: readonly string[] | undefined;
  readonly log: Log;
  readonly lookEveryMs?: number;
  /** A server that could not start is tried again after this time, and immediately when its configuration changes. */
  readonly retryMs?: number;
}): OpenServers => {
  const { home, logFor, events, log, lookEveryMs = usualLookMs, retryMs = usualRetryMs } = options;
  const runs = new Map<string, Run>();
  /** By server; one that a broken file replaces stays. */
  const outsides = new Map<string, OutsideSettings>();
  const stopping = new AbortController();
  let unreadable = false;

  let outsideInUse = outsideKey(shareOutside(outsides));

  /** A server that cannot start is tried again and again: what is wrong with the way is said once. */
  const renewOutside = (serverLog: Log) => {
    const shared = shareOutside(outsides);
    const key = outsideKey(shared);
    if (key === outsideInUse) return;
    outsideInUse = key;
    setUpOutside(shared.settings, serverLog);
    for (const text of shared.ignored) serverLog.warn(text);
  };

  const stop = async (id: string) => {
    const agent = runs.get(id)?.agent;
    runs.delete(id);
    try {
      await agent?.[Symbol.asyncDispose]();
    } catch (error) {
      logFor(id, null).error({ err: error }, 'could not stop cleanly');
    }
  };

  const start = async (id: string, digest: string) => {
    const fail = (message: string, ms: number) => {
      logFor(id, null).error(message);
      // The running agent continues; its configuration differs from the file, and the log says so.
      runs.set(id, { digest, agent: runs.get(id)?.agent ?? null, retryAtMs: performance.now() + ms });
    };
    let config: AgentConfig;
    try {
      await demandOwned(home.serverFolder(id), home.configPath(id));
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      fail(error.message, retryMs);
      return;
    }
    try {
      config = await readAgentConfig(home.configPath(id));
    } catch (error) {
      if (!(error instanceof ConfigError || error instanceof StartupError)) throw error;
      fail(error.message, Number.POSITIVE_INFINITY);
      return;
    }
    await stop(id);
    if (stopping.signal.aborted) return;
    const serverLog = logFor(id, config);
    outsides.set(id, config.outside);
    renewOutside(serverLog);
    if (await canOthersRead(home.configPath(id)))
      serverLog.warn('other accounts on this machine can read the secret in its config.json');
    try {
      const onFailure = (error: unknown) => {
        serverLog.fatal(
          { err: error },
          'could not write the journal, so no command can be run; is the disk full?',
        );
        void stop(id).then(() => {
          runs.set(id, { digest, agent: null, retryAtMs: performance.now() + retryMs });
        });
      };
      const agent = await startAgent({
        config,
        log: serverLog,
        onFailure,
        onConnection: (isConnected) => events.onConnection(id, isConnected),
        onRelease: events.onRelease,
        renewal: events.renewal,
        ...(options.holderProgram && { holderProgram: options.holderProgram }),
      });
      runs.set(id, { digest, agent, retryAtMs: Number.POSITIVE_INFINITY });
      serverLog.info({ game: config.game }, 'running');
    } catch (error) {
      if (!(error instanceof StartupError)) serverLog.error({ err: error }, 'could not start');
      fail(error instanceof StartupError ? error.message : 'will retry soon', retryMs);
    }
  };

  const look = async () => {
    const ids = await home.serverIds().then(
      (found) => {
        unreadable = false;
        return found;
      },
      (error: unknown) => {
        if (!unreadable) log.error({ err: error }, "could not read the game servers' folder");
        unreadable = true;
        return null;
      },
    );
    if (ids === null) return;
    const contents = await Promise.all(
      ids.map(async (id) => [id, await digestOf(home.configPath(id))] as const),
    );
    const there = new Map(contents.filter(([, digest]) => digest !== null));
    for (const id of [...runs.keys()])
      if (!there.has(id)) {
        logFor(id, null).info('configuration removed; stopping');
        await stop(id);
        outsides.delete(id);
        renewOutside(log);
      }
    await Promise.all(
      [...there].map(async ([id, digest]) => {
        const run = runs.get(id);
        const isDue = run === undefined || run.digest !== digest || run.retryAtMs <= performance.now();
        if (isDue && digest !== null) await start(id, digest);
      }),
    );
  };

  const loop = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) =>
        log.error({ err: error }, 'could not supervise the game servers'),
      );
      await sleep(lookEveryMs, stopping.signal);
    }
  };
  const looping = loop();

  return {
    isBusy: () => [...runs.values()].some(({ agent }) => agent?.isBusy()),
    renewalChanged() {
      for (const { agent } of runs.values()) agent?.renewalChanged();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await looping;
      await Promise.all([...runs.keys()].map(stop));
    },
  };
};

const digestOf = (path: string): Promise<string | null> =>
  readFile(path).then(
    (content) => createHash('sha256').update(content).digest('base64'),
    // A file that may not be read is reported when it is started.
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : `unreadable: ${error.code}`),
  );
