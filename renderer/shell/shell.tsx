import { ActionIcon } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMenu2, IconSearch, IconX } from '@tabler/icons-react';
import { type ComponentProps, lazy, type MouseEvent, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useCan } from '../kit/access/access-state.ts';
import { startLive } from '../kit/api/live.ts';
import { designWords } from '../kit/design/design.words.ts';
import { FaultBoundary } from '../kit/design/fault-boundary.tsx';
import { Mark } from '../kit/design/mark.tsx';
import { prepareToasts } from '../kit/design/notify.ts';
import { toggleHelp, useIsHelpOpen } from '../kit/help/help-state.ts';
import { useWords } from '../kit/language/use-words.ts';
import { loadWhenServed } from '../kit/routing/page-chunks.ts';
import { goTo } from '../kit/routing/use-hash-location.ts';
import { useHealth } from '../operations/stack-health/use-stack-health.ts';
import { useWaiting } from '../operations/waiting/use-waiting.ts';
import { AccountMenu } from './account-menu.tsx';
import { useArrival } from './arrival.ts';
import { BackgroundWork } from './background-work.tsx';
import { Connection } from './connection.tsx';
import { type NavigationEntry, navigation, type PageName, pageNames } from './navigation.ts';
import { navigationWords } from './navigation.words.ts';
import { Notices } from './notices.tsx';
import { PageList } from './page-list.tsx';
import { Pages } from './pages.tsx';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';
import { openDialog, reportChunkGone, useIsNarrow, useOpened } from './shell-state.ts';
import { type Shortcut, startShortcuts, useShortcuts } from './shortcuts.ts';
import { SideBar } from './side-bar.tsx';
import { waitingOnPages } from './waiting-on-pages.ts';
import { warningsOf } from './warnings.ts';

/** The letter that follows `g` to go to a page. */
const pageKeys: Readonly<Record<PageName, string>> = {
  overview: 'o',
  servers: 's',
  clusters: 'c',
  players: 'p',
  agents: 'a',
  store: 'v',
  orders: 'n',
  deliveries: 'y',
  desk: 'j',
  members: 'z',
  events: 'e',
  audit: 'u',
  logs: 'l',
  health: 'h',
  queues: 'q',
  backups: 'b',
  discord: 'g',
  settings: 't',
  secrets: 'x',
  admins: 'd',
  roles: 'r',
  apiKeys: 'k',
  license: 'i',
  computer: 'w',
  profile: 'm',
  firstSteps: 'f',
  // No letter is left.
  mods: '1',
  seasons: '5',
  rewards: '2',
  sales: '3',
  shops: '4',
  discounts: '6',
  bans: '7',
  help: '?',
};

/** The search box of the list on the page, if there is one. */
const focusSearch = (): void =>
  document.querySelector<HTMLElement>('#content input[type="search"], #content [role="searchbox"]')?.focus();

/** The keys that work everywhere. */
const useShellShortcuts = (): void => {
  const words = useWords(shellWords);
  const names = useWords(navigationWords);
  const can = useCan();
  const pages = pageNames.flatMap((name): Shortcut[] => {
    const { permission, path }: NavigationEntry = navigation[name];
    if (permission && !can.somewhere(permission)) return [];
    return [{ keys: `g ${pageKeys[name]}`, label: names.pages[name], run: () => goTo(path) }];
  });
  useShortcuts([
    { keys: 'mod+k', label: words.palette, run: () => openDialog('palette') },
    { keys: '?', label: words.help, run: toggleHelp },
    { keys: 'mod+/', label: words.shortcuts, run: () => openDialog('cheat-sheet') },
    { keys: '/', label: words.searchList, run: focusSearch },
    ...pages,
  ]);
};

/** The pages on a phone, behind a button. */
const PageDrawer = (marks: Pick<ComponentProps<typeof PageList>, 'warnings' | 'waiting'>) => {
  const words = useWords(shellWords);
  const general = useWords(designWords);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  const closeBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) close();
  };
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={words.menu}
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it by Escape */}
      <dialog ref={dialog} className={classes.drawer} aria-label={words.navigation} onClick={closeBeside}>
        <div className={classes.drawerHead}>
          <Mark />
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={general.close} onClick={close}>
            <IconX size={20} aria-hidden />
          </ActionIcon>
        </div>
        <nav aria-label={words.navigation}>
          <PageList {...marks} onGo={close} />
        </nav>
      </dialog>
    </>
  );
};

/** On a phone: the pages behind a button, and the other contents of the side bar. */
const TopBar = (marks: Pick<ComponentProps<typeof PageList>, 'warnings' | 'waiting'>) => {
  const words = useWords(shellWords);
  return (
    <header className={classes.top}>
      <PageDrawer {...marks} />
      <Mark />
      <div className={classes.acts}>
        <BackgroundWork />
        <Connection isSignOnly />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={words.palette}
          onClick={() => openDialog('palette')}
        >
          <IconSearch size={18} aria-hidden />
        </ActionIcon>
        <AccountMenu isPhone />
      </div>
    </header>
  );
};

/** Below this width the pages are behind a button; as in the media queries of shell.module.css. */
const useIsPhone = (): boolean =>
  useMediaQuery('(width < 48em)', undefined, { getInitialValueInEffect: false }) ?? false;

const Palette = lazy(
  loadWhenServed(() => import('./palette/palette.tsx').then(({ Palette }) => ({ default: Palette }))),
);
const CheatSheet = lazy(
  loadWhenServed(() => import('./cheat-sheet.tsx').then(({ CheatSheet }) => ({ default: CheatSheet }))),
);

const HelpPanel = lazy(
  loadWhenServed(() => import('./help/help-panel.tsx').then(({ HelpPanel }) => ({ default: HelpPanel }))),
);

const skip = (event: MouseEvent) => {
  event.preventDefault();
  document.getElementById('content')?.focus();
};

/** The frame around every page: the side bar or, on a phone, the bar at the top, and the connection that keeps everything current. */
export const Shell = () => {
  const words = useWords(shellWords);
  const isNarrow = useIsNarrow();
  const isPhone = useIsPhone();
  const opened = useOpened();
  const isHelpOpen = useIsHelpOpen();
  const [address] = useLocation();
  useEffect(() => startLive(), []);
  useEffect(() => startShortcuts(), []);
  useEffect(() => {
    prepareToasts();
    return () => openDialog(null);
  }, []);
  useShellShortcuts();
  useArrival(address);
  const health = useHealth().data;
  const warnings = warningsOf(health);
  const waiting = waitingOnPages(useWaiting().data);
  return (
    <div className={classes.shell} data-narrow={isNarrow || undefined}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place, which is no address of the panel */}
      <a className={classes.skip} href="#content" onClick={skip}>
        {words.skip}
      </a>
      {isPhone ? (
        <TopBar warnings={warnings} waiting={waiting} />
      ) : (
        <SideBar warnings={warnings} waiting={waiting} />
      )}
      <div className={classes.main}>
        <div className={classes.notices}>
          <Notices health={health} />
        </div>
        <main className={classes.content} id="content" tabIndex={-1}>
          <Pages />
        </main>
      </div>
      <FaultBoundary key={opened} shown={() => null} onFault={reportChunkGone}>
        <Suspense>
          {opened === 'palette' && <Palette />}
          {opened === 'cheat-sheet' && <CheatSheet />}
        </Suspense>
      </FaultBoundary>
      <FaultBoundary key={String(isHelpOpen)} shown={() => null} onFault={reportChunkGone}>
        <Suspense>{isHelpOpen && <HelpPanel />}</Suspense>
      </FaultBoundary>
    </div>
  );
};
