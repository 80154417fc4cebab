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
import { languages } from '#contracts/kernel/language.ts';
import { backupsHttp } from '#contracts/operations/backups.ts';
import { signOut, useCan, useMe } from '../../kit/access/access-state.ts';
import { queryClient, readKey } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { colourIcons, colourSchemes, useColours } from '../../kit/design/colours.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { notifyDone, notifyLeft, notifyTrouble } from '../../kit/design/notify.ts';
import { setHelpOpen } from '../../kit/help/help-state.ts';
import { languageNames } from '../../kit/language/language-names.ts';
import { setLanguage, useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { shellWords } from '../shell.words.ts';
import { openDialog } from '../shell-state.ts';
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
