import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type {
  FirstRunDraft,
  FirstRunFinish,
  FirstRunState,
  HomeReport,
} from '#contracts/desktop-first-run.ts';
import { ConfigError } from '#runtime/env.ts';
import { makeHome } from '#runtime/home.ts';
import { findFreePort } from '#runtime/ports.ts';
import { librariesToInstall } from '#runtime/postgres/binaries.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { followMoves, moveMarks } from '../data-folder/move-marks.ts';
import { lettersOutside, pathCodePage } from '../first-start/code-page.ts';
import { checkDiscord } from '../first-start/discord-check.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { checkHome } from '../first-start/home-check.ts';
import type { LicenseServer } from '../first-start/license-server.ts';
import { ownAddresses } from '../first-start/own-addresses.ts';
import { apiHostOf, checkPorts } from '../first-start/ports-check.ts';
import { isOpenHost } from '../network/network-settings.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';
import type { Firewall } from './network-calls.ts';

export type FirstRunHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `firstRun.${string}`>>;

export interface FirstRunOptions {
  readonly record: DesktopRecordStore;
  /** Where an installation lives unless somebody chooses another folder. */
  readonly usualHome: string;
  /** Postgres is run from there. */
  readonly programsFolder: string;
  readonly licenseServer: LicenseServer | null;
  readonly discordApiUrl: string | undefined;
  /** Null where there is none to look after. */
  readonly firewall: Pick<Firewall, 'change'> | null;
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
  if (existsSync(stackEnvPath(record.now().home ?? usualHome))) return null;
  return missedHome(record, usualHome) === null ? 'new' : 'gone';
};

/** The home that is not there, though an installation was seen in it; null when none is missed. */
const missedHome = (record: DesktopRecordStore, usualHome: string): string | null => {
  const { home, lastHome } = record.now();
  if (home !== null) return home;
  // Seen elsewhere, the usual one has been given up, or another one is the usual one now.
  return lastHome !== null && isSameFolder(lastHome, usualHome) ? usualHome : null;
};

/** As the system compares paths. */
const isSameFolder = (a: string, b: string): boolean => relative(a, b) === '';

/** What the first run asks for. Nothing of an installation is written before the end; then all of it at one stroke. */
export const firstRunCalls = (options: FirstRunOptions): FirstRunHandlers => {
  const { record, usualHome, programsFolder, licenseServer, discordApiUrl } = options;

  const freshDraft = async (): Promise<FirstRunDraft> => ({
    step: 'folder',
    home: record.now().home ?? usualHome,
    apiPort: (await findFreePort(3001)) ?? 3001,
    postgresPort: (await findFreePort(5440)) ?? 5440,
    isOpen: false,
    clientId: '',
    guildId: '',
  });

  /** A missed home that could be made anew is one whose drive is away: what is in it would be lost sight of. */
  const look = async (home: string): Promise<HomeReport> => {
    const leadsTo = isAbsolute(home) ? await followMoves(home) : home;
    if (leadsTo !== home) return { outcome: 'away', detail: movedWords(leadsTo) };
    const report = await checkHome(home);
    const missed = missedHome(record, usualHome);
    const isMissed = missed !== null && isAbsolute(home) && isSameFolder(missed, home);
    if (report.outcome !== 'new' || !isMissed) return report;
    return { outcome: 'away', detail: `The installation that was in ${missed} is not there.` };
  };

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
    const config = await readStackConfig(home);
    // Before something listens there: Windows would ask the person by itself, and a "no" to that blocks for good. A
    // refusal here is told, and made up for, by the page of the network.
    if (config.apiHosts.some(isOpenHost))
      await options.firewall?.change({ open: config.apiPort, close: [] }).catch(() => undefined);
  };

  return {
    async 'firstRun.state'() {
      const reason = firstRunReason(record, usualHome) ?? 'new';
      return {
        reason,
        goneHome: reason === 'gone' ? missedHome(record, usualHome) : null,
        draft: record.now().firstRun ?? (await freshDraft()),
        usualHome,
        missingLibraries: [...librariesToInstall()],
        unspellableFolder: (await isUnspellable(programsFolder)) ? programsFolder : null,
        hasPortal: licenseServer !== null,
        addresses: ownAddresses(),
      };
    },
    async 'firstRun.keep'(draft) {
      await record.change({ firstRun: draft });
      return {};
    },
    'firstRun.chooseHome': async ({ from }) => ({ home: await options.askForFolder(from) }),
    'firstRun.checkHome': ({ home }) => look(home),
    'firstRun.checkPorts': (wanted) => checkPorts(wanted),
    'firstRun.testDiscord': (asked) => checkDiscord(asked, { apiUrl: discordApiUrl }),
    async 'firstRun.finish'(chosen) {
      const { home } = chosen;
      const report = await look(home);
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
        lastHome: home,
        firstRun: null,
        isOwnerLeft: true,
      });
      options.onFinished(home);
      return { outcome: 'done' };
    },
    ...ownerCalls(record),
  };
};

const movedWords = (to: string): string =>
  existsSync(stackEnvPath(to))
    ? `The installation of this folder was moved to ${to}: choose that one.`
    : `The installation of this folder was moved to ${to}, which is not there. If it is lost for good, delete ` +
      `${moveMarks.moved} in this folder: what is left here, from before the move, can be chosen then.`;

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

const isUnspellable = async (path: string): Promise<boolean> =>
  lettersOutside(await pathCodePage(), path).length > 0;
