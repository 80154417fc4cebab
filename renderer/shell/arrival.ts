import { useEffect, useMemo, useRef } from 'react';

/** How long a page may take to show its title, or a list to grow far enough to restore its scroll position. */
const patienceMs = 5000;

const scrollOf = new Map<string, number>();
let isReturning = false;

/** The scroll position on each page is kept by its entry in the browser's history. */
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

/** Calls back at each change within an element until `isDone` returns true. */
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

/** Focuses the page's title, unless the focus has moved elsewhere in between. */
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

/** Calls back once the person moves by themselves; they must not be pulled back. */
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
 * What a browser does on a page change: the page starts at the top, or at the old position when going back, and a screen
 * reader hears the title. Moving within a page changes nothing.
 */
export const useArrival = (address: string): void => {
  const last = useRef(address);
  const title = useRef<Title | null>(null);
  // Read before the new page is mounted: a field that focuses itself on mount keeps the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  const before = useMemo(() => document.activeElement as HTMLElement | null, [address]);
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
    // Another section of the same page.
    const now = titleIn(content);
    if (now && now.element === title.current?.element && now.text === title.current.text) return;
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
  }, [address, before]);
};
