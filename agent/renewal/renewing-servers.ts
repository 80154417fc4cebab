import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import type { ReleasePlatform } from '#runtime/release/release-manifest.ts';
import { version } from '#runtime/version.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import type { ApiAddress } from '../connection/connection.ts';
import { connectedLine } from './connected-line.ts';
import { programFiles } from './program-files.ts';
import { releaseKeys } from './release-keys.ts';
import { openRenewal, type Renewal } from './renewal.ts';
import { openRenewalRecord } from './renewal-record.ts';

/** All servers of a home while they run. */
export interface OpenServers extends AsyncDisposable {
  /** A task is under way at one of them. */
  isBusy(): boolean;
}

export interface ServersEvents {
  onConnection(serverId: string, isConnected: boolean): void;
  onRelease(release: Buffer, api: ApiAddress): void;
}

export interface RenewingServersOptions {
  readonly home: AgentHome;
  /** Holds the home and starts its servers. */
  readonly open: (events: ServersEvents) => Promise<OpenServers>;
  /** Says on standard output which servers are connected: this process is a new version on trial. */
  readonly isTrial: boolean;
  readonly onRenewed: (version: string) => void;
  /** The servers rest and cannot be started again in this process. */
  readonly onFailure: () => void;
  readonly log: Log;
}

const idleLookMs = 1000;

/** Runs the servers of a home, and lets them rest while a new version of the program is tried out in their place. */
export const openRenewingServers = async (options: RenewingServersOptions): Promise<AsyncDisposable> => {
  const { home, open, isTrial, onRenewed, onFailure, log } = options;
  const connected = new Set<string>();
  let renewal: Renewal | null = null;
  let wasTold = false;

  const events: ServersEvents = {
    onConnection(serverId, isConnected) {
      if (isTrial && isConnected) process.stdout.write(`${connectedLine(serverId)}\n`);
      if (isConnected) connected.add(serverId);
      else connected.delete(serverId);
    },
    onRelease(release, api) {
      if (renewal) void renewal.offer(release, api);
      else if (!wasTold && !isTrial)
        log.info(
          'the API has a newer version of the Game Agent; this one is not the installed program, so update it by hand',
        );
      wasTold = true;
    },
  };
  let servers: OpenServers | null = await open(events);
  const rest = async () => {
    await servers?.[Symbol.asyncDispose]();
    servers = null;
    connected.clear();
  };

  if (!isTrial && (await isInstalled(home)))
    renewal = openRenewal({
      programFolder: home.programFolder,
      trialArgs: ['run', '--home', home.folder, '--trial'],
      keys: releaseKeys(),
      version,
      platform: platforms[process.platform] ?? null,
      record: await openRenewalRecord(home.programFolder),
      servers: {
        connected: () => [...connected],
        async idle(signal) {
          while (servers?.isBusy()) await delay(idleLookMs, undefined, { signal });
        },
        pause: rest,
        async resume() {
          try {
            servers = await open(events);
          } catch (error) {
            log.fatal({ err: error }, 'the game servers cannot be started again after a trial');
            onFailure();
          }
        },
      },
      onRenewed,
      log,
    });
  return {
    async [Symbol.asyncDispose]() {
      await renewal?.[Symbol.asyncDispose]();
      await rest();
    },
  };
};

const platforms: Readonly<Partial<Record<NodeJS.Platform, ReleasePlatform>>> = {
  linux: 'linux-x64',
  win32: 'win32-x64',
};

/** Whether this process is the program that the service starts. */
const isInstalled = async (home: AgentHome): Promise<boolean> => {
  const installed = await realpath(programFiles(home.programFolder).current).catch(() => null);
  return installed !== null && installed === (await realpath(process.execPath));
};
