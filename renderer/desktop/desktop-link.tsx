import { lazy, Suspense, useEffect, useState } from 'react';
import { askAccess } from '../access/access-state.ts';
import { whileAway } from '../routing/pieces.ts';
import { hurryLive } from '../wire/live.ts';
import { onDesktop } from './desktop-bridge.ts';

const Leaving = lazy(whileAway(() => import('./leaving.tsx').then(({ Leaving }) => ({ default: Leaving }))));

/** What the desktop says by itself, as far as it concerns every page; in a browser it is nothing. */
export const DesktopLink = () => {
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => onDesktop('desktop.leaving', () => setIsLeaving(true)), []);
  useEffect(() => {
    let answered = false;
    return onDesktop('stack.changed', ({ components }) => {
      const answers = components.some(({ name, state }) => name === 'api' && state === 'running');
      // Sooner than the next of the panel's own attempts.
      if (answers && !answered) {
        void askAccess();
        hurryLive();
      }
      answered = answers;
    });
  }, []);
  return <Suspense>{isLeaving && <Leaving />}</Suspense>;
};
