import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Mark } from '../design/mark.tsx';
import { useWords } from '../language/use-words.ts';
import { AccountMenu } from './account-menu.tsx';
import { BackgroundWork } from './background-work.tsx';
import { Connection } from './connection.tsx';
import { Drawer } from './drawer.tsx';
import type { PageListProps } from './page-list.tsx';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';
import { openDialog } from './shell-state.ts';

/** On a phone: the pages behind a button, and the other contents of the side bar. */
export const TopBar = (marks: Pick<PageListProps, 'warnings' | 'waiting'>) => {
  const words = useWords(shellWords);
  return (
    <header className={classes.top}>
      <Drawer {...marks} />
      <Mark />
      <div className={classes.acts}>
        <BackgroundWork />
        <Connection isSignOnly />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={words.palette}
          onClick={() => openDialog('palette')}
        >
          <IconSearch size={18} aria-hidden />
        </ActionIcon>
        <AccountMenu isPhone />
      </div>
    </header>
  );
};
