import { useEffect, useRef } from 'react';

/** How long a page may take to have its title, or a list to grow so far that its old place can be shown again. */
const patienceMs = 5000;

const scrollOf = new Map<string, number>();
let isReturning = false;

/** Where one was on each page is kept by the entry of the browser's history. */
const keepScroll = (): (() => void) => {
  const { navigation } = window;
  history.scrollRestoration = 'manual';
  const onNavigate = ({ navigationType }: NavigateEvent) => {
    isReturning = navigationType === 'traverse';
    if (navigation.currentEntry) scrollOf.set(navigation.currentEntry.key, window.scrollY);
  };
  navigation.addEventListener('navigate', onNavigate);
  return () => {
    navigation.removeEventListener('navigate', onNavigate);
    history.scrollRestoration = 'auto';
  };
};

/** Calls back at each change within an element until it says that it is done. */
const watch = (element: HTMLElement, isDone: () => boolean): (() => void) => {
  if (isDone()) return () => undefined;
  const observer = new MutationObserver(() => isDone() && stop());
  const timer = setTimeout(() => stop(), patienceMs);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(element, { childList: true, subtree: true });
  return stop;
};

interface Title {
  readonly element: HTMLElement;
  readonly text: string | null;
}

const titleIn = (content: HTMLElement): Title | null => {
  const element = content.querySelector<HTMLElement>('h1');
  return element && { element, text: element.textContent };
};

/** The page's title takes the focus, unless somebody has put it elsewhere meanwhile. */
const focusTitle = (content: HTMLElement, before: HTMLElement | null): boolean => {
  const title = content.querySelector<HTMLElement>('h1');
  if (!title) return false;
  const now = document.activeElement;
  const isElsewhere = now !== before && now !== document.body;
  if (!isElsewhere && !document.querySelector('dialog[open], [role="dialog"]')) {
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }
  return true;
};

const ownMoves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Calls back once somebody moves about by themselves; they are not to be pulled back. */
const onOwnMove = (moved: () => void): (() => void) => {
  for (const name of ownMoves) addEventListener(name, moved, { once: true, passive: true });
  return () => {
    for (const name of ownMoves) removeEventListener(name, moved);
  };
};

const restoreScroll = (wanted: number): boolean => {
  window.scrollTo(0, wanted);
  return Math.abs(window.scrollY - wanted) < 2;
};

/**
 * What a browser does when one goes to another page: it begins at the top, or where one was when one goes back, and a
 * screen reader hears the title. Going about within a page changes nothing.
 */
export const useArrival = (address: string): void => {
  const last = useRef(address);
  const title = useRef<Title | null>(null);
  useEffect(() => ('navigation' in window ? keepScroll() : undefined), []);
  useEffect(() => {
    const content = document.getElementById('content');
    if (!content) return;
    const keepTitle = () => {
      title.current = titleIn(content);
      return title.current !== null;
    };
    if (last.current === address) return watch(content, keepTitle);
    last.current = address;
    // Another part of the same page.
    const now = titleIn(content);
    if (now && now.element === title.current?.element && now.text === title.current.text) return;
    const before = document.activeElement as HTMLElement | null;
    const key = isReturning ? window.navigation?.currentEntry?.key : undefined;
    const wanted = (key !== undefined && scrollOf.get(key)) || 0;
    window.scrollTo(0, 0);
    const stopRestoring = wanted > 0 ? watch(content, () => restoreScroll(wanted)) : () => undefined;
    const stops = [
      watch(content, () => keepTitle() && focusTitle(content, before)),
      stopRestoring,
      onOwnMove(stopRestoring),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [address]);
};
