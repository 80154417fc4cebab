import { useCan } from '../access/access-state.ts';
import { toggleHelp } from '../help/help-state.ts';
import { useWords } from '../language/use-words.ts';
import { type NavigationEntry, navigation, pageNames } from '../navigation.ts';
import { navigationWords } from '../navigation.words.ts';
import { goTo } from '../routing/use-hash-location.ts';
import { pageKeys } from './page-keys.ts';
import { shellWords } from './shell.words.ts';
import { openDialog } from './shell-state.ts';
import { type Shortcut, useShortcuts } from './shortcuts.ts';

/** The search box of the list on the page, if there is one. */
const focusSearch = (): void =>
  document.querySelector<HTMLElement>('#content input[type="search"], #content [role="searchbox"]')?.focus();

/** The keys that work everywhere. */
export const useShellShortcuts = (): void => {
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
