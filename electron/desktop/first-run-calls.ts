import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type {
  FirstRunDraft,
  FirstRunFinish,
  FirstRunState,
  HomeReport,
} from '#contracts/desktop-first-run.ts';
import { checkDiscord } from '#runtime/discord/check-discord.ts';
import { leaveDiscordHandover } from '#runtime/discord/discord-handover.ts';
import { ConfigError, parseEnvText } from '#runtime/env.ts';
import { makeHome } from '#runtime/home.ts';
import { ownAddresses } from '#runtime/own-addresses.ts';
import { findFreePort } from '#runtime/ports.ts';
import { librariesToInstall } from '#runtime/postgres/binaries.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { followMoves, moveMarks } from '../data-folder/move-marks.ts';
import { newHomeFault } from '../data-folder/target-check.ts';
import { setUpDemoPortal } from '../demo-portal/demo-portal.ts';
import { hasDemoPortal } from '../demo-portal/portal-process.ts';
import { lettersOutside, pathCodePage } from '../first-start/code-page.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { checkHome } from '../first-start/home-check.ts';
import type { LicenseServer } from '../first-start/license-server.ts';
import { isPlain, lookUpPortal, portalAddressOf, portalUrlText } from '../first-start/look-up-portal.ts';
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
  /** The executable that a demo portal runs under. */
  readonly node: string;
  readonly licenseServer: LicenseServer | null;
  readonly discordApiUrl: string | undefined;
  /** Of this process's environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
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
  const path = stackEnvPath(record.now().home ?? usualHome);
  if (existsSync(path)) return namesPortal(path) ? null : 'no-portal';
  return missedHome(record, usualHome) === null ? 'new' : 'gone';
};

/** A start without a window writes settings also where no portal is named. What cannot be read is told by the start. */
const namesPortal = (path: string): boolean => {
  try {
    const { LICENSE_SERVER_URL: url, LICENSE_SERVER_PUBLIC_KEY: key } = parseEnvText(
      readFileSync(path, 'utf8'),
    );
    return Boolean(url && key);
  } catch {
    return true;
  }
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
    // A home that is missed is looked for first.
    step: licenseServer === null && firstRunReason(record, usualHome) !== 'gone' ? 'portal' : 'folder',
    home: record.now().home ?? usualHome,
    apiPort: (await findFreePort(3001)) ?? 3001,
    postgresPort: (await findFreePort(5440)) ?? 5440,
    isOpen: false,
    clientId: '',
    guildId: '',
    portal: null,
  });

  /** Kept by a build that named its portal, it may lack one here. */
  const keptDraft = (): FirstRunDraft | null => {
    const kept = record.now().firstRun;
    if (kept === null || licenseServer !== null || kept.portal !== null || kept.step === 'folder')
      return kept;
    return { ...kept, step: 'portal' };
  };

  /** A missed home that could be made anew is one whose drive is away: what is in it would be lost sight of. */
  const look = async (home: string): Promise<HomeReport> => {
    const leadsTo = isAbsolute(home) ? await followMoves(home) : home;
    if (leadsTo !== home) return { outcome: 'away', detail: movedWords(leadsTo) };
    const report = await checkHome(home);
    if (report.outcome === 'new') {
      const fault = await newHomeFault({ target: home, programsFolder, variables: options.variables });
      if (fault) return fault;
    }
    const missed = missedHome(record, usualHome);
    const isMissed = missed !== null && isAbsolute(home) && isSameFolder(missed, home);
    if (report.outcome !== 'new' || !isMissed) return report;
    return { outcome: 'away', detail: `The installation that was in ${missed} is not there.` };
  };

  const install = async ({ home, apiPort, postgresPort, isOpen, discord, portal }: FirstRunFinish) => {
    await makeHome(home);
    const path = stackEnvPath(home);
    const isNew = !existsSync(path);
    const lacksPortal = licenseServer === null && (isNew || !namesPortal(path));
    if (lacksPortal && portal === null) throw new StartupError('No license portal is chosen.');
    await using demo =
      lacksPortal && portal?.kind === 'demo'
        ? await setUpDemoPortal({ home, programsFolder, node: options.node }, [apiPort, postgresPort])
        : null;
    const server = licenseServer ?? demo?.server ?? connectedTo(portal);
    const values = { API_HOST: apiHostOf(isOpen), API_PORT: String(apiPort) };
    await ensureEnv(home, server, { postgresPort, values });
    // Not activated, such as for want of a hardware id, it is tried again by the desktop, whose page tells why.
    await demo?.activate();
    const config = await readStackConfig(home);
    if (isNew && discord)
      await leaveDiscordHandover(home, config.configEncryptionKey, {
        token: discord.token,
        ...(discord.clientId !== '' && { clientId: discord.clientId }),
        ...(discord.guildId !== '' && { guildId: discord.guildId }),
      });
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
        draft: keptDraft() ?? (await freshDraft()),
        usualHome,
        damagedRecord: record.damagedFile,
        missingLibraries: [...librariesToInstall()],
        unspellableFolder: (await isUnspellable(programsFolder)) ? programsFolder : null,
        hasPortal: licenseServer !== null,
        hasDemoPortal: hasDemoPortal(programsFolder),
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
    'firstRun.lookUpPortal': lookUpPortal,
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

/** @throws {StartupError} for http to another machine that was not confirmed */
const connectedTo = (portal: FirstRunFinish['portal']): LicenseServer | null => {
  if (portal?.kind !== 'connected') return null;
  const url = portalAddressOf(portal.url);
  if (!url) throw new StartupError('The address of the license portal is no http or https address.');
  if (isPlain(url) && !portal.isPlainConfirmed)
    throw new StartupError(`${url.host} would be asked without encryption, which was not confirmed.`);
  return { url: portalUrlText(url), publicKey: portal.publicKey };
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
  'firstRun.lookUpPortal': over,
  'firstRun.finish': over,
  ...ownerCalls(record),
});

const isUnspellable = async (path: string): Promise<boolean> =>
  lettersOutside(await pathCodePage(), path).length > 0;
