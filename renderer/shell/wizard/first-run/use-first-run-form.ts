import { useEffect, useRef, useState } from 'react';
import {
  type FirstRunDraft,
  type FirstRunPortal,
  type FirstRunState,
  type HomeReport,
  type PortalReport,
  type PortsReport,
  portalKeyPattern,
} from '#contracts/desktop/desktop-first-run.ts';
import type { DiscordReport } from '#contracts/discord/discord-application.ts';
import type { FolderWarning } from '#contracts/operations/folder-findings.ts';
import { isDiscordId, isDiscordToken } from '../../../discord/discord-setup/discord-id-fields.tsx';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { type DesktopAction, useDesktopAction } from '../../../operations/use-desktop-action.ts';

type Found = Extract<PortalReport, { outcome: 'found' }>;

interface PortalChoice {
  /** Null: this build names its portal, and nothing is asked. */
  readonly kind: FirstRunPortal['kind'] | null;
  readonly setKind: (kind: FirstRunPortal['kind']) => void;
  readonly url: string;
  readonly setUrl: (url: string) => void;
  /** The public key as pasted; empty: none. */
  readonly pasted: string;
  readonly setPasted: (key: string) => void;
  readonly isKey: boolean;
  readonly isPlainConfirmed: boolean;
  readonly setPlainConfirmed: (isConfirmed: boolean) => void;
  readonly fault: Exclude<PortalReport, Found> | null;
  /** Its key can now be compared; nothing is trusted until the person continues. */
  readonly found: Found | null;
  /** A key that was already confirmed for this address. */
  readonly isConfirmed: boolean;
  /** Whether the first run can continue with it. An address is looked up first: the next call confirms what was found. */
  readonly settle: () => Promise<boolean>;
}

/** The portal that the license comes from, in a build that names none. */
const usePortalChoice = (
  state: FirstRunState,
  chosen: FirstRunDraft['portal'],
  keep: (portal: FirstRunPortal) => void,
): PortalChoice => {
  const known = chosen?.kind === 'connected' ? chosen : null;
  const [kind, setKind] = useState(chosen?.kind ?? (state.hasDemoPortal ? 'demo' : 'connected'));
  const [url, setUrl] = useState(known?.url ?? '');
  const [pasted, setPasted] = useState('');
  const [isPlainConfirmed, setPlainConfirmed] = useState(known?.isPlainConfirmed ?? false);
  const [report, setReport] = useState<PortalReport | null>(null);
  const publicKey = pasted.trim();
  const isKey = publicKey === '' || portalKeyPattern.test(publicKey);
  const found = report?.outcome === 'found' ? report : null;
  const isConfirmed = known !== null && known.url === url && publicKey === '';
  const change = (what: () => void) => {
    setReport(null);
    what();
  };
  const settle = async (): Promise<boolean> => {
    if (state.hasPortal) return true;
    if (kind === 'demo') {
      keep({ kind });
      return true;
    }
    if (isConfirmed) return true;
    if (found) {
      keep({ kind, url: found.url, publicKey: found.publicKey, isPlainConfirmed });
      setUrl(found.url);
      setPasted('');
      return true;
    }
    if (isKey) setReport(await callDesktop('firstRun.lookUpPortal', { url, publicKey, isPlainConfirmed }));
    return false;
  };
  return {
    kind: state.hasPortal ? null : kind,
    setKind,
    url,
    setUrl: (typed) =>
      change(() => {
        setUrl(typed);
        setPlainConfirmed(false);
      }),
    pasted,
    setPasted: (typed) => change(() => setPasted(typed)),
    isKey,
    isPlainConfirmed,
    setPlainConfirmed: (is) => change(() => setPlainConfirmed(is)),
    fault: report && report.outcome !== 'found' ? report : null,
    found,
    isConfirmed,
    settle,
  };
};

/** Kept only by the page: a token is a secret. */
interface TypedBot {
  readonly token: string;
  readonly report: DiscordReport | null;
}

export interface FirstRunForm extends DesktopAction {
  readonly draft: FirstRunDraft;
  /** A check applies only to the values that it checked: a change discards it. */
  readonly setHome: (home: string) => void;
  readonly setPorts: (change: Partial<Pick<FirstRunDraft, 'apiPort' | 'postgresPort' | 'isOpen'>>) => void;
  readonly setBot: (change: Partial<Pick<FirstRunDraft, 'clientId' | 'guildId'> & { token: string }>) => void;
  readonly setAutostart: (isOn: boolean) => void;
  readonly chooseHome: () => Promise<void>;
  readonly home: HomeReport | null;
  readonly ports: PortsReport | null;
  readonly bot: TypedBot;
  readonly testBot: () => Promise<void>;
  /** The typed settings of the bot are complete enough to test. */
  readonly isBotComplete: boolean;
  readonly portal: PortalChoice;
  /** The folder holds an existing installation, whose own settings apply. */
  readonly isTakenUp: boolean;
  /** An existing installation that names its license portal keeps it. */
  readonly asksPortal: boolean;
  readonly isAdvanced: boolean;
  readonly setAdvanced: (isOpen: boolean) => void;
  readonly isSettingUp: boolean;
  /** Why the setup failed, in the desktop's words. */
  readonly refusal: string | null;
  /** Checks all choices; anything that a person has to see first is shown, and the next call continues. */
  readonly goOn: () => Promise<void>;
}

/** Whether a bot with this answer is good enough to start; the panel also shows what it lacks. */
const mayBegin = ({ outcome }: DiscordReport): boolean =>
  outcome !== 'token-wrong' && outcome !== 'other-client';

const isShown = (home: HomeReport | null, code: FolderWarning['code']): boolean =>
  home?.outcome === 'new' && home.warnings.some((shown) => shown.code === code);

const asksPortal = (home: HomeReport | null): boolean => home?.outcome !== 'taken-up' || !home.namesPortal;

/** All choices of the first run, and the steps from them to an installation. */
export const useFirstRunForm = (state: FirstRunState): FirstRunForm => {
  const act = useDesktopAction();
  const [draft, setDraft] = useState(state.draft);
  /** Several changes may happen before the next render. */
  const latest = useRef(state.draft);
  const [home, setHomeReport] = useState<HomeReport | null>(null);
  const [ports, setPortsReport] = useState<PortsReport | null>(null);
  const [bot, setTypedBot] = useState<TypedBot>({ token: '', report: null });
  const [isAdvanced, setAdvanced] = useState(false);
  const [isSettingUp, setSettingUp] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const keep = (change: Partial<FirstRunDraft>) => {
    latest.current = { ...latest.current, ...change };
    setDraft(latest.current);
    void callDesktop('firstRun.keep', latest.current);
  };
  const portal = usePortalChoice(state, draft.portal, (chosen) => keep({ portal: chosen }));

  const look = (path: string) => callDesktop('firstRun.checkHome', { home: path.trim() });
  // An existing installation is reported before anything is pressed, and so is a folder that cannot be used.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is new
  useEffect(() => {
    look(state.draft.home).then(
      (found) => latest.current.home === state.draft.home && setHomeReport(found),
      // The next attempt checks again, and reports the problem.
      () => undefined,
    );
  }, []);

  const setHome = (path: string) => {
    setHomeReport(null);
    setRefusal(null);
    keep({ home: path });
  };
  const askDiscord = async (): Promise<DiscordReport> => {
    const { clientId, guildId } = latest.current;
    setTypedBot({ ...bot, report: null });
    const report = await callDesktop('firstRun.testDiscord', { token: bot.token.trim(), clientId, guildId });
    setTypedBot({ ...bot, report });
    if ('clientId' in report && report.outcome !== 'other-client') keep({ clientId: report.clientId });
    return report;
  };
  const { clientId, guildId } = draft;
  const hasToken = bot.token.trim() !== '';
  const isBotComplete = isDiscordToken(bot.token) && isDiscordId(clientId) && isDiscordId(guildId);

  /** @returns whether everything is ready to start, and contains nothing that the person who pressed the button has not seen */
  const isReady = async (isTakenUp: boolean): Promise<boolean> => {
    if (isTakenUp) return true;
    const { apiPort, postgresPort, isOpen } = latest.current;
    const found = await callDesktop('firstRun.checkPorts', { apiPort, postgresPort, isOpen });
    setPortsReport(found);
    const isFree = found.api.state === 'free' && found.postgres.state === 'free';
    // The person reads once what Windows will ask, before it continues.
    const isNews = found.asksForFirewall && ports?.asksForFirewall !== true;
    const isBotWrong = hasToken && !isBotComplete;
    if (!isFree || isNews || isBotWrong) {
      setAdvanced(true);
      return false;
    }
    if (!hasToken || (bot.report && mayBegin(bot.report))) return true;
    const report = await askDiscord();
    if (report.outcome === 'fine') return true;
    setAdvanced(true);
    return false;
  };

  const finish = async (isTakenUp: boolean) => {
    const { home: path, apiPort, postgresPort, isOpen, autostart } = latest.current;
    const discord =
      isTakenUp || !hasToken
        ? null
        : { token: bot.token.trim(), clientId: latest.current.clientId, guildId: latest.current.guildId };
    const chosen = {
      home: path,
      apiPort,
      postgresPort,
      isOpen,
      discord,
      portal: latest.current.portal,
      autostart,
    };
    setSettingUp(true);
    try {
      const answer = await callDesktop('firstRun.finish', chosen);
      if (answer.outcome === 'done') return;
      setRefusal(answer.detail);
    } catch (error) {
      setSettingUp(false);
      throw error;
    }
    setSettingUp(false);
  };

  const goOn = () =>
    act.run(async () => {
      setRefusal(null);
      keep({ home: latest.current.home.trim() });
      const found = await look(latest.current.home);
      setHomeReport(found);
      // A problem with the folder does not undo the comparison of the key.
      if (asksPortal(found) && !(await portal.settle())) return;
      if ('detail' in found) return;
      const isThere = found.outcome === 'taken-up';
      // Read once before anything is made there.
      if (found.outcome === 'new' && found.warnings.some(({ code }) => !isShown(home, code))) return;
      // The button reports it the next time.
      if (isThere && home?.outcome !== 'taken-up' && state.reason !== 'no-portal') return;
      if (await isReady(isThere)) await finish(isThere);
    });

  return {
    ...act,
    draft,
    home,
    ports,
    bot,
    portal,
    isAdvanced,
    setAdvanced,
    isSettingUp,
    refusal,
    goOn,
    setHome,
    isBotComplete,
    isTakenUp: home?.outcome === 'taken-up',
    asksPortal: asksPortal(home),
    setPorts(change) {
      setPortsReport(null);
      keep(change);
    },
    setBot({ token = bot.token, ...ids }) {
      setTypedBot({ token, report: null });
      keep(ids);
    },
    setAutostart: (autostart) => keep({ autostart }),
    testBot: () => act.run(askDiscord),
    chooseHome: () =>
      act.run(async () => {
        const { home: chosen } = await callDesktop('firstRun.chooseHome', { from: latest.current.home });
        if (chosen === null) return;
        setHome(chosen);
        setHomeReport(await look(chosen));
      }),
  };
};
