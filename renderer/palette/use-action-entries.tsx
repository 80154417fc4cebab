import {
  IconApi,
  IconBook,
  IconCopy,
  IconDatabaseExport,
  IconHelp,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconPlus,
} from '@tabler/icons-react';
import { backupsHttp } from '#contracts/backups.ts';
import { languages } from '#contracts/language.ts';
import { signOut, useCan, useMe } from '../access/access-state.ts';
import { designWords } from '../design/design.words.ts';
import { notifyDone, notifyLeft, notifyTrouble } from '../design/notify.ts';
import { setHelpOpen } from '../help/help-state.ts';
import { setLanguage, useWords } from '../language/use-words.ts';
import { goTo } from '../routing/use-hash-location.ts';
import { colourIcons, colourSchemes, useColours } from '../shell/colours.ts';
import { languageNames } from '../shell/language-names.ts';
import { shellWords } from '../shell/shell.words.ts';
import { openDialog } from '../shell/shell-state.ts';
import { queryClient, readKey } from '../wire/queries.ts';
import { sendChange } from '../wire/send-change.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

/** The actions that are available everywhere. */
export const useActionEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const shell = useWords(shellWords);
  const general = useWords(designWords);
  const can = useCan();
  const me = useMe();
  const { choose } = useColours();
  const act = (id: string, Icon: typeof IconPlus, label: string, run: () => void, also: readonly string[]) =>
    ({
      id: `act:${id}`,
      group: 'acts',
      label,
      also,
      icon: <Icon size={18} aria-hidden />,
      run,
    }) satisfies Entry;
  const copyAddress = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      notifyDone(words.copied);
    } catch {
      // Also if the browser has no clipboard at all, as without TLS.
      notifyLeft('copy-address', words.copyAddress, general.cannotCopy);
    }
  };
  const backUp = async () => {
    try {
      const begun = await sendChange(backupsHttp.take, {});
      queryClient.setQueryData(readKey(backupsHttp.status, {}), begun);
      notifyDone(words.backupBegun);
    } catch (error) {
      notifyTrouble(error);
    }
  };
  const inAll = <Said,>(say: (language: (typeof languages)[number]) => Said) => languages.map(say);
  return [
    ...(can('servers.write')
      ? [
          act('new-server', IconPlus, words.newServer, () => goTo('/servers?new=server'), [
            ...inAll((language) => paletteWords[language].newServer),
          ]),
        ]
      : []),
    ...(can('backups.write')
      ? [
          act(
            'back-up',
            IconDatabaseExport,
            words.backUpNow,
            () => void backUp(),
            inAll((language) => paletteWords[language].backUpNow),
          ),
        ]
      : []),
    act(
      'help',
      IconHelp,
      words.help,
      () => setHelpOpen(true),
      inAll((language) => paletteWords[language].help),
    ),
    act(
      'guides',
      IconBook,
      words.guides,
      () => goTo('/help/guides'),
      inAll((language) => paletteWords[language].guides),
    ),
    ...(can('stack.read')
      ? [
          act(
            'api',
            IconApi,
            words.api,
            () => goTo('/help/api'),
            inAll((language) => paletteWords[language].api),
          ),
        ]
      : []),
    act(
      'copy-address',
      IconCopy,
      words.copyAddress,
      () => void copyAddress(),
      inAll((language) => paletteWords[language].copyAddress),
    ),
    ...colourSchemes.map((scheme) =>
      act(
        `colours-${scheme}`,
        colourIcons[scheme],
        words.colours(shell[scheme]),
        () => choose(scheme),
        inAll((language) => paletteWords[language].colours(shellWords[language][scheme])),
      ),
    ),
    ...languages.map((to) =>
      act(
        `language-${to}`,
        IconLanguage,
        words.language(languageNames[to]),
        () => void setLanguage(to),
        inAll((language) => paletteWords[language].language(languageNames[to])),
      ),
    ),
    act(
      'shortcuts',
      IconKeyboard,
      words.shortcuts,
      () => openDialog('cheat-sheet'),
      inAll((language) => paletteWords[language].shortcuts),
    ),
    ...(me.kind === 'admin'
      ? [
          act(
            'sign-out',
            IconLogout,
            shell.signOut,
            () => void signOut().catch(notifyTrouble),
            inAll((language) => shellWords[language].signOut),
          ),
        ]
      : []),
  ];
};
