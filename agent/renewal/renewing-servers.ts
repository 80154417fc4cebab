import type { KeyObject } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { AgentRenewal } from '#contracts/servers/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import { versionOfAgentRelease } from '#runtime/release/agent-release.ts';
import type { ReleasePlatform } from '#runtime/release/release-manifest.ts';
import { readPublicKey } from '#runtime/release/signed-manifest.ts';
import { version } from '#runtime/version.ts';
import type { AgentHome } from '../configuration/agent-home.ts';
import type { ApiAddress } from '../connection/connection.ts';
import { cutText } from '../game/cut-text.ts';
import { connectedLine } from './connected-line.ts';
import { programFiles } from './program-files.ts';
import { openRenewal, type Renewal, type RenewalNews } from './renewal.ts';
import { openRenewalRecord } from './renewal-record.ts';

/** Asset of the single executable: the public keys of releases, in base64url. */
const assetName = 'release-keys.json';

/** The keys that this build trusts; none in a checkout, which does not update itself. */
const releaseKeys = (): readonly KeyObject[] => {
  if (!isSea() || !getAssetKeys().includes(assetName)) return [];
  return z
    .array(z.string())
    .parse(JSON.parse(getAsset(assetName, 'utf8')))
    .map(readPublicKey);
};

/** All servers of a data folder while they run. */
export interface OpenServers extends AsyncDisposable {
  /** Whether one of them runs a task. */
  isBusy(): boolean;
  /** Call it when the state of the update has changed for the API. */
  renewalChanged(): void;
}

export interface ServersEvents {
  onConnection(serverId: string, isConnected: boolean): void;
  onRelease(release: Buffer, api: ApiAddress): void;
  /** The state of the update; null until a newer version was offered. */
  renewal(): AgentRenewal | null;
}

const idleLookMs = 1000;

/** Runs the servers of a data folder, and pauses them while a new version of the program is tried in their place. */
export const openRenewingServers = async (options: {
  readonly home: AgentHome;
  /** Holds the data folder and starts its servers. */
  readonly open: (events: ServersEvents) => Promise<OpenServers>;
  /** Reports on standard output which servers are connected: this process is a new version on trial. */
  readonly isTrial: boolean;
  readonly onRenewed: (version: string) => void;
  /** The servers are paused and cannot be started again in this process. */
  readonly onFailure: () => void;
  readonly log: Log;
}): Promise<AsyncDisposable> => {
  const { home, open, isTrial, onRenewed, onFailure, log } = options;
  const connected = new Set<string>();
  let renewal: Renewal | null = null;
  let news: RenewalNews | null = null;
  let servers: OpenServers | null = null;
  const tell = (now: RenewalNews | null) => {
    news = now;
    servers?.renewalChanged();
  };

  const events: ServersEvents = {
    onConnection(serverId, isConnected) {
      if (isTrial && isConnected) process.stdout.write(`${connectedLine(serverId)}\n`);
      if (isConnected) connected.add(serverId);
      else connected.delete(serverId);
    },
    onRelease(release, api) {
      if (renewal) void renewal.offer(release, api);
      else if (news === null && !isTrial) {
        log.info(
          'the API has a newer version of the Game Agent; this one is not the installed program, so update it manually',
        );
        tell({ step: 'by-hand', version: versionOfAgentRelease(release), detail: null, againAtMs: null });
      }
    },
    renewal: () => (news ? told(news) : null),
  };
  const rest = async () => {
    const resting = servers;
    servers = null;
    connected.clear();
    await resting?.[Symbol.asyncDispose]();
  };

  // Before the first server can receive an offer of a release.
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
            log.fatal({ err: error }, 'could not restart the game servers after a trial');
            onFailure();
          }
        },
      },
      onNews: tell,
      onRenewed,
      log,
    });
  servers = await open(events);
  return {
    async [Symbol.asyncDispose]() {
      await renewal?.[Symbol.asyncDispose]();
      await rest();
    },
  };
};

const told = ({ step, version: offered, detail, againAtMs }: RenewalNews): AgentRenewal => ({
  step,
  version: offered && cutText(offered, 50),
  detail: detail && cutText(detail, 500),
  againInMs: againAtMs === null ? null : Math.max(0, againAtMs - Date.now()),
});

const platforms: Readonly<Partial<Record<NodeJS.Platform, ReleasePlatform>>> = {
  linux: 'linux-x64',
  win32: 'win32-x64',
};

/** Whether this process is the program that the service starts. */
const isInstalled = async (home: AgentHome): Promise<boolean> => {
  const installed = await realpath(programFiles(home.programFolder).current).catch(() => null);
  return installed !== null && installed === (await realpath(process.execPath));
};
