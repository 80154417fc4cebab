import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { FirstRunDraft, FirstRunFinish, FirstRunState } from '#contracts/desktop-first-run.ts';
import { ConfigError } from '#runtime/env.ts';
import { makeHome } from '#runtime/home.ts';
import { findFreePort } from '#runtime/ports.ts';
import { librariesToInstall } from '#runtime/postgres/binaries.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { checkDiscord } from '../first-start/discord-check.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { checkHome } from '../first-start/home-check.ts';
import type { LicenseServer } from '../first-start/license-server.ts';
import { apiHostOf, checkPorts } from '../first-start/ports-check.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

export type FirstRunHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `firstRun.${string}`>>;

export interface FirstRunOptions {
  readonly record: DesktopRecordStore;
  /** Where an installation lives unless somebody chooses another folder. */
  readonly usualHome: string;
  readonly licenseServer: LicenseServer | null;
  readonly discordApiUrl: string | undefined;
  /** The system's dialog; null when nothing was chosen. */
  readonly askForFolder: (from: string) => Promise<string | null>;
  /** There is an installation in this home now. */
  readonly onFinished: (home: string) => void;
}

/** Why a first run is needed before anything can start; null when it is not. */
export const firstRunReason = (
  record: DesktopRecordStore,
  usualHome: string,
): FirstRunState['reason'] | null => {
  const { home } = record.now();
  if (existsSync(stackEnvPath(home ?? usualHome))) return null;
  return home === null ? 'new' : 'gone';
};

/** What the first run asks for. Nothing of an installation is written before the end; then all of it at one stroke. */
export const firstRunCalls = (options: FirstRunOptions): FirstRunHandlers => {
  const { record, usualHome, licenseServer, discordApiUrl } = options;

  const freshDraft = async (): Promise<FirstRunDraft> => ({
    step: 'folder',
    home: record.now().home ?? usualHome,
    apiPort: (await findFreePort(3001)) ?? 3001,
    postgresPort: (await findFreePort(5440)) ?? 5440,
    isOpen: false,
    clientId: '',
    guildId: '',
  });

  const install = async ({ home, apiPort, postgresPort, isOpen, discord }: FirstRunFinish) => {
    await makeHome(home);
    const values = {
      API_HOST: apiHostOf(isOpen),
      API_PORT: String(apiPort),
      ...(discord && {
        DISCORD_BOT_TOKEN: discord.token,
        CLIENT_ID: discord.clientId,
        GUILD_ID: discord.guildId,
      }),
    };
    await ensureEnv(home, licenseServer, { postgresPort, values });
    await readStackConfig(home);
  };

  return {
    async 'firstRun.state'() {
      const reason = firstRunReason(record, usualHome) ?? 'new';
      return {
        reason,
        goneHome: reason === 'gone' ? record.now().home : null,
        draft: record.now().firstRun ?? (await freshDraft()),
        usualHome,
        missingLibraries: [...librariesToInstall()],
        hasPortal: licenseServer !== null,
        addresses: ownAddresses(),
      };
    },
    async 'firstRun.keep'(draft) {
      await record.change({ firstRun: draft });
      return {};
    },
    'firstRun.chooseHome': async ({ from }) => ({ home: await options.askForFolder(from) }),
    'firstRun.checkHome': ({ home }) => checkHome(home),
    'firstRun.checkPorts': (wanted) => checkPorts(wanted),
    'firstRun.testDiscord': (asked) => checkDiscord(asked, { apiUrl: discordApiUrl }),
    async 'firstRun.finish'(chosen) {
      const { home } = chosen;
      const report = await checkHome(home);
      if ('detail' in report) return { outcome: 'refused', detail: report.detail };
      try {
        await install(chosen);
      } catch (error) {
        if (error instanceof StartupError || error instanceof ConfigError)
          return { outcome: 'refused', detail: error.message };
        throw error;
      }
      await record.change({
        home: home === usualHome ? null : home,
        firstRun: null,
        isOwnerLeft: true,
      });
      options.onFinished(home);
      return { outcome: 'done' };
    },
    ...ownerCalls(record),
  };
};

type OwnerHandlers = Pick<FirstRunHandlers, 'firstRun.isOwnerLeft' | 'firstRun.leaveOwner'>;

const ownerCalls = (record: DesktopRecordStore): OwnerHandlers => ({
  'firstRun.isOwnerLeft': () => record.now().isOwnerLeft,
  async 'firstRun.leaveOwner'() {
    await record.change({ isOwnerLeft: false });
    return {};
  },
});

const over = (): never => {
  throw new StartupError('The first run is over.');
};

/** The same calls once there is a stack. */
export const callsAfterFirstRun = (record: DesktopRecordStore): FirstRunHandlers => ({
  'firstRun.state': () => null,
  'firstRun.keep': over,
  'firstRun.chooseHome': over,
  'firstRun.checkHome': over,
  'firstRun.checkPorts': over,
  'firstRun.testDiscord': over,
  'firstRun.finish': over,
  ...ownerCalls(record),
});

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
