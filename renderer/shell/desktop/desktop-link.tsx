import { useMantineColorScheme } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { DesktopEvent } from '#contracts/desktop/desktop.ts';
import { askAccess } from '../../kit/access/access-state.ts';
import { callDesktop, desktopBridge, onDesktop } from '../../kit/api/desktop-bridge.ts';
import { hurryLive } from '../../kit/api/live.ts';
import { loadWhenServed } from '../../kit/routing/page-chunks.ts';

const Leaving = lazy(
  loadWhenServed(() => import('./leaving.tsx').then(({ Leaving }) => ({ default: Leaving }))),
);

const MovingHome = lazy(
  loadWhenServed(() => import('./moving-home.tsx').then(({ MovingHome }) => ({ default: MovingHome }))),
);

const Restoring = lazy(
  loadWhenServed(() => import('./restoring.tsx').then(({ Restoring }) => ({ default: Restoring }))),
);

/** What keeps the whole data folder busy. */
const useProgress = <const Of extends 'dataFolder' | 'restore'>(of: Of) => {
  type Progress = DesktopEvent<`${Of}.changed`>;
  const [progress, setProgress] = useState<Progress | null>(null);
  useEffect(() => {
    if (!desktopBridge()) return;
    const leave = onDesktop(`${of}.changed`, setProgress);
    // For a page that is reloaded meanwhile; before a data folder exists, nothing keeps it busy.
    callDesktop(`${of}.progress` as 'restore.progress', undefined).then(
      (known) => setProgress((newer) => newer ?? (known as Progress)),
      () => undefined,
    );
    return leave;
  }, [of]);
  return progress;
};

/** The desktop's events that concern every page; there are none in a browser. */
export const DesktopLink = () => {
  const [isLeaving, setIsLeaving] = useState(false);
  const move = useProgress('dataFolder');
  const restore = useProgress('restore');
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
      {restore && !isLeaving && <Restoring progress={restore} />}
      {isLeaving && <Leaving />}
    </Suspense>
  );
};
