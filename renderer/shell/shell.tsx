import { lazy, type MouseEvent, Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import { FaultBoundary } from '../design/fault-boundary.tsx';
import { prepareToasts } from '../design/notify.ts';
import { useIsHelpOpen } from '../help/help-state.ts';
import { useWords } from '../language/use-words.ts';
import { loadWhenServed } from '../routing/page-chunks.ts';
import { useHealth } from '../stack-health/use-stack-health.ts';
import { startLive } from '../wire/live.ts';
import { useArrival } from './arrival.ts';
import { Notices } from './notices.tsx';
import { Pages } from './pages.tsx';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';
import { openDialog, reportChunkGone, useIsNarrow, useOpened } from './shell-state.ts';
import { startShortcuts } from './shortcuts.ts';
import { SideBar } from './side-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { useDeskCount } from './use-desk-count.ts';
import { useIsPhone } from './use-is-phone.ts';
import { useShellShortcuts } from './use-shell-shortcuts.ts';
import { warningsOf } from './warnings.ts';

const Palette = lazy(
  loadWhenServed(() => import('../palette/palette.tsx').then(({ Palette }) => ({ default: Palette }))),
);
const CheatSheet = lazy(
  loadWhenServed(() => import('./cheat-sheet.tsx').then(({ CheatSheet }) => ({ default: CheatSheet }))),
);

const HelpPanel = lazy(
  loadWhenServed(() => import('../help/help-panel.tsx').then(({ HelpPanel }) => ({ default: HelpPanel }))),
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
  const waiting = { desk: useDeskCount() ?? 0 };
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
