import { Menu, Text } from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useRoleLabel } from '../identity/access/use-role-label.ts';
import { signOut, useMe } from '../kit/access/access-state.ts';
import { notifyTrouble } from '../kit/design/notify.ts';
import { useWords } from '../kit/language/use-words.ts';
import { goTo } from '../kit/routing/use-hash-location.ts';
import { ColourItems } from './colour-menu.tsx';
import { LanguageItems } from './language-menu.tsx';
import { navigationWords } from './navigation.words.ts';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';

/** The person who is signed in. */
export const AccountMenu = ({
  isPhone = false,
  isNarrow = false,
}: {
  /** Includes what does not fit into the bar on a phone. */
  readonly isPhone?: boolean;
  /** Only the icon. */
  readonly isNarrow?: boolean;
}) => {
  const words = useWords(shellWords);
  const names = useWords(navigationWords);
  const me = useMe();
  const standing = useRoleLabel(me);
  return (
    <Menu position={isPhone ? 'bottom-end' : 'top-start'} width="15rem" withinPortal={false}>
      <Menu.Target>
        <button type="button" className={classes.account} aria-label={words.accountOf(me.name)}>
          <IconUserCircle size={20} aria-hidden />
          {!isPhone && !isNarrow && (
            <Text component="span" truncate>
              <bdi>{me.name}</bdi>
            </Text>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text component="div" fw={600} lineClamp={2} c="var(--text)">
            <bdi>{me.name}</bdi>
          </Text>
          {standing}
        </Menu.Label>
        <Menu.Item leftSection={<IconUserCircle size={16} aria-hidden />} onClick={() => goTo('/profile')}>
          {names.pages.profile}
        </Menu.Item>
        {isPhone && (
          <>
            <Menu.Divider />
            <Menu.Label>{words.theme}</Menu.Label>
            <ColourItems />
            <Menu.Label>{words.language}</Menu.Label>
            <LanguageItems />
          </>
        )}
        {me.kind === 'admin' && (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconLogout size={16} aria-hidden />}
              onClick={() => void signOut().catch(notifyTrouble)}
            >
              {words.signOut}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};
