import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type {
  FirstRunDraft,
  FirstRunFinish,
  FirstRunState,
  HomeReport,
  SetUpStage,
} from '#contracts/desktop/desktop-first-run.ts';
import { checkDiscord } from '#runtime/discord/check-discord.ts';
import { leaveDiscordHandover } from '#runtime/discord/discord-handover.ts';
import { ConfigError, readEnvBytes } from '#runtime/env.ts';
import { checkFolder } from '#runtime/folder-check/check-folder.ts';
import { makeHome } from '#runtime/home.ts';
import { ownAddresses } from '#runtime/own-addresses.ts';
import { accessTo, isNoAccess, noAccessWords } from '#runtime/path-access.ts';
import { findFreePort } from '#runtime/ports.ts';
import { librariesToInstall } from '#runtime/postgres/binaries.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { followMoves, moveMarks } from '../data-folder/move-marks.ts';
import { setUpDemoPortal } from '../demo-portal/demo-portal.ts';
import { hasDemoPortal } from '../demo-portal/portal-process.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { checkHome, firstYearBytes } from '../first-start/home-check.ts';
import type { LicenseServer } from '../first-start/license-server.ts';
import { isPlain, lookUpPortal, portalAddressOf, portalUrlText } from '../first-start/look-up-portal.ts';
import { apiHostOf, checkPorts } from '../first-start/ports-check.ts';
import { isOpenHost } from '../network/network-settings.ts';
import type { Autostart } from './autostart.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';
import type { Firewall } from './network-calls.ts';

type FirstRunHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `firstRun.${string}`>>;

/** Why a first run is needed before anything can start; null when it is not. */
export const firstRunReason = (
  record: DesktopRecordStore,
  usualHome: string,
): FirstRunState['reason'] | null => {
  const path = stackEnvPath(record.now().home ?? usualHome);
  const access = accessTo(path);
  if (access === 'closed') return 'no-access';
  if (access === 'there') return namesPortal(path) ? null : 'no-portal';
  return missedHome(record, usualHome) === null ? 'new' : 'gone';
};

/** A start without a window writes settings even where no portal is named. The start itself reports unreadable settings. */
const namesPortal = (path: string): boolean => {
  try {
    const { LICENSE_SERVER_URL: url, LICENSE_SERVER_PUBLIC_KEY: key } = readEnvBytes(
      path,
      readFileSync(path),
    ).values;
    return Boolean(url && key);
  } catch {
    return true;
  }
};

/** The data folder that is gone although an installation was seen in it; null when none is missed. */
const missedHome = (record: DesktopRecordStore, usualHome: string): string | null => {
  const { home, lastHome } = record.now();
  if (home !== null) return home;
  // Last seen elsewhere: the usual one was given up, or the usual one is another one now.
  return lastHome !== null && isSameFolder(lastHome, usualHome) ? usualHome : null;
};

/** As the system compares paths. */
const isSameFolder = (a: string, b: string): boolean => relative(a, b) === '';

/** What the first run asks for. Nothing of an installation is written before the end; then everything at once. */
export const firstRunCalls = (options: {
  readonly record: DesktopRecordStore;
  /** Where an installation lives unless the user chooses another folder. */
  readonly usualHome: string;
  /** Postgres is run from there. */
  readonly programsFolder: string;
  /** The executable that a demo portal runs under. */
  readonly node: string;
  readonly licenseServer: LicenseServer | null;
  readonly discordApiUrl: string | undefined;
  /** The environment of this process. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Null where there is none to configure. */
  readonly firewall: Pick<Firewall, 'change'> | null;
  readonly autostart: Pick<Autostart, 'set'>;
  /** The system's dialog; null when nothing was chosen. */
  readonly askForFolder: (from: string) => Promise<string | null>;
  /** Called before each stage of setting up. */
  readonly onStage: (stage: SetUpStage) => void;
  /** This data folder now holds an installation. */
  readonly onFinished: (home: string) => void;
}): FirstRunHandlers => {
  const { record, usualHome, programsFolder, licenseServer, discordApiUrl } = options;

  /** Lets a build without a portal be tried immediately. */
  const usualPortal: FirstRunDraft['portal'] =
    licenseServer === null && hasDemoPortal(programsFolder) ? { kind: 'demo' } : null;

  const freshDraft = async (): Promise<FirstRunDraft> => ({
    home: record.now().home ?? usualHome,
    apiPort: (await findFreePort(3001)) ?? 3001,
    postgresPort: (await findFreePort(5440)) ?? 5440,
    isOpen: false,
    clientId: '',
    guildId: '',
    portal: usualPortal,
    autostart: false,
  });

  const programsFindings = async (): Promise<
    Pick<FirstRunState, 'unspellableFolder' | 'programsWarnings'>
  > => {
    const question = { asker: 'programs', variables: options.variables } as const;
    const findings = await checkFolder(programsFolder, question);
    return {
      unspellableFolder: findings.some(({ code }) => code === 'unspellable') ? programsFolder : null,
      programsWarnings: findings
        .filter(({ code }) => code !== 'unspellable')
        .map(({ code, detail }) => ({ code, detail })),
    };
  };

  /** A draft kept by a build that named its portal may lack one here. */
  const keptDraft = (): FirstRunDraft | null => {
    const kept = record.now().firstRun;
    return kept && { ...kept, portal: kept.portal ?? usualPortal };
  };

  /** A missed data folder that could be created again has its drive away: a new one would hide what is in it. */
  const look = async (home: string): Promise<HomeReport> => {
    const leadsTo = isAbsolute(home) ? await followMoves(home) : home;
    if (leadsTo !== home) return { outcome: 'away', detail: movedWords(leadsTo) };
    const { variables } = options;
    const report = await checkHome(home, { programsFolder, variables, neededBytes: firstYearBytes });
    if (report.outcome === 'taken-up')
      return { outcome: 'taken-up', namesPortal: namesPortal(stackEnvPath(home)) };
    const missed = missedHome(record, usualHome);
    const isMissed = missed !== null && isAbsolute(home) && isSameFolder(missed, home);
    if (report.outcome !== 'new' || !isMissed) return report;
    return { outcome: 'away', detail: `The installation that was in ${missed} cannot be found.` };
  };

  const install = async (chosen: FirstRunFinish) => {
    const { home, apiPort, postgresPort, isOpen, discord, portal } = chosen;
    options.onStage('folder');
    await makeHome(home);
    const path = stackEnvPath(home);
    const isNew = !existsSync(path);
    const lacksPortal = licenseServer === null && (isNew || !namesPortal(path));
    if (lacksPortal && portal === null) throw new StartupError('Choose a license portal first.');
    const isDemo = lacksPortal && portal?.kind === 'demo';
    if (isDemo) options.onStage('demo-portal');
    await using demo = isDemo
      ? await setUpDemoPortal({ home, programsFolder, node: options.node }, [apiPort, postgresPort])
      : null;
    const server = licenseServer ?? demo?.server ?? connectedTo(portal);
    options.onStage('settings');
    const values = { API_HOST: apiHostOf(isOpen), API_PORT: String(apiPort) };
    await ensureEnv(home, server, { postgresPort, values });
    if (isDemo) options.onStage('demo-license');
    // If it is not activated, such as for want of a hardware ID, the desktop tries again, and its page says why.
    await demo?.activate();
    const config = await readStackConfig(home);
    if (isNew && discord)
      await leaveDiscordHandover(home, config.configEncryptionKey, {
        token: discord.token,
        ...(discord.clientId !== '' && { clientId: discord.clientId }),
        ...(discord.guildId !== '' && { guildId: discord.guildId }),
      });
    // Before anything listens there: otherwise Windows would ask the user itself, and a "no" to that blocks for good. The
    // network page shows a refusal here, and lets the user make up for it.
    if (config.apiHosts.some(isOpenHost)) {
      options.onStage('firewall');
      await options.firewall?.change({ open: config.apiPort, close: [] }).catch(() => undefined);
    }
    // If off, it stays as found: off already, or chosen by the user in the system's settings.
    if (chosen.autostart) await options.autostart.set(true);
    options.onStage('start');
  };

  return {
    async 'firstRun.state'() {
      const reason = firstRunReason(record, usualHome) ?? 'new';
      const own = await ownAddresses();
      return {
        reason,
        goneHome: reason === 'gone' ? missedHome(record, usualHome) : null,
        noAccess: reason === 'no-access' ? noAccessWords(record.now().home ?? usualHome) : null,
        draft: keptDraft() ?? (await freshDraft()),
        usualHome,
        damagedRecord: record.damagedFile,
        missingLibraries: [...librariesToInstall()],
        ...(await programsFindings()),
        hasPortal: licenseServer !== null,
        hasDemoPortal: hasDemoPortal(programsFolder),
        addresses: own.map(({ address }) => address),
        adapters: Object.fromEntries(own.map(({ address, adapter }) => [address, adapter])),
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
        // Since it was looked at, the folder was closed to this account.
        if (isNoAccess(error)) return { outcome: 'refused', detail: noAccessWords(home) };
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
  if (!url) throw new StartupError('The address of the license portal must begin with https:// or http://.');
  if (isPlain(url) && !portal.isPlainConfirmed)
    throw new StartupError(
      `The connection to ${url.host} would not be encrypted, and you have not confirmed that.`,
    );
  return { url: portalUrlText(url), publicKey: portal.publicKey };
};

const movedWords = (to: string): string =>
  existsSync(stackEnvPath(to))
    ? `The installation in this folder was moved to ${to}. Choose that folder.`
    : `The installation in this folder was moved to ${to}, which cannot be found. If it is lost for good, delete ` +
      `${moveMarks.moved} in this folder. You can then choose what is left here from before the move.`;

type OwnerHandlers = Pick<FirstRunHandlers, 'firstRun.isOwnerLeft' | 'firstRun.leaveOwner'>;

const ownerCalls = (record: DesktopRecordStore): OwnerHandlers => ({
  'firstRun.isOwnerLeft': () => record.now().isOwnerLeft,
  async 'firstRun.leaveOwner'() {
    await record.change({ isOwnerLeft: false });
    return {};
  },
});

const over = (): never => {
  throw new StartupError('The setup is already complete.');
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
