import { ActionIcon, Button, Kbd, Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { Mark, MarkSign } from '../kit/design/mark.tsx';
import { modKey } from '../kit/design/mod-key.ts';
import { useWords } from '../kit/language/use-words.ts';
import { AccountMenu } from './account-menu.tsx';
import { BackgroundWork } from './background-work.tsx';
import { ColourMenu } from './colour-menu.tsx';
import { Connection } from './connection.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { PageList } from './page-list.tsx';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';
import { openDialog, toggleNarrow, useIsNarrow } from './shell-state.ts';

const Search = ({ isNarrow }: { readonly isNarrow: boolean }) => {
  const words = useWords(shellWords);
  const open = () => openDialog('palette');
  return isNarrow ? (
    <Tooltip label={words.search} position="right" openDelay={0}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.search} onClick={open}>
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  ) : (
    <Button
      className={classes.search}
      variant="default"
      size="xs"
      fullWidth
      justify="space-between"
      rightSection={<Kbd size="xs">{modKey} K</Kbd>}
      onClick={open}
    >
      {words.search}
    </Button>
  );
};

/** The pages at the side of the screen; it can be narrowed to their icons, and keeps that choice. */
export const SideBar = (marks: Pick<ComponentProps<typeof PageList>, 'warnings' | 'waiting'>) => {
  const words = useWords(shellWords);
  const isNarrow = useIsNarrow();
  const Icon = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const says = isNarrow ? words.widen : words.narrow;
  return (
    <header className={classes.side}>
      <div className={classes.brand}>
        {isNarrow ? <MarkSign /> : <Mark />}
        <Search isNarrow={isNarrow} />
      </div>
      <nav className={classes.pages} aria-label={words.navigation}>
        <PageList isNarrow={isNarrow} {...marks} />
      </nav>
      <div className={classes.foot}>
        <BackgroundWork />
        <AccountMenu isNarrow={isNarrow} />
        <div className={classes.footActs}>
          <Connection isSignOnly={isNarrow} />
          <LanguageMenu />
          <ColourMenu />
          <Tooltip label={says} position="right">
            <ActionIcon variant="subtle" color="gray" size="md" aria-label={says} onClick={toggleNarrow}>
              <Icon size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
    </header>
  );
};
