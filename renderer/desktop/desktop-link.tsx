import { useMantineColorScheme } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { DataFolderMove } from '#contracts/desktop-data-folder.ts';
import { askAccess } from '../access/access-state.ts';
import { loadWhenServed } from '../routing/page-chunks.ts';
import { hurryLive } from '../wire/live.ts';
import { callDesktop, desktopBridge, onDesktop } from './desktop-bridge.ts';

const Leaving = lazy(
  loadWhenServed(() => import('./leaving.tsx').then(({ Leaving }) => ({ default: Leaving }))),
);

const MovingHome = lazy(
  loadWhenServed(() => import('./moving-home.tsx').then(({ MovingHome }) => ({ default: MovingHome }))),
);

const useMove = (): DataFolderMove | null => {
  const [move, setMove] = useState<DataFolderMove | null>(null);
  useEffect(() => {
    if (!desktopBridge()) return;
    const leave = onDesktop('dataFolder.changed', setMove);
    // For a page that is reloaded during a move; before a data folder exists, nothing is moved.
    callDesktop('dataFolder.progress', undefined).then(
      (known) => setMove((newer) => newer ?? known),
      () => undefined,
    );
    return leave;
  }, []);
  return move;
};

/** The desktop's events that concern every page; there are none in a browser. */
export const DesktopLink = () => {
  const [isLeaving, setIsLeaving] = useState(false);
  const move = useMove();
  const { colorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (desktopBridge()) callDesktop('theme.choose', { theme: colorScheme }).catch(() => undefined);
  }, [colorScheme]);
  useEffect(() => onDesktop('desktop.leaving', () => setIsLeaving(true)), []);
  useEffect(() => {
    let answered = false;
    return onDesktop('stack.changed', ({ components }) => {
      const answers = components.some(({ name, state }) => name === 'api' && state === 'running');
      // Sooner than the panel's own next attempt.
      if (answers && !answered) {
        void askAccess();
        hurryLive();
      }
      answered = answers;
    });
  }, []);
  return (
    <Suspense>
      {move && !isLeaving && <MovingHome move={move} />}
      {isLeaving && <Leaving />}
    </Suspense>
  );
};
