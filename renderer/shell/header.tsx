import { ActionIcon, Button, Kbd, Tooltip } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { FaultBoundary } from '../design/fault-boundary.tsx';
import { Mark } from '../design/mark.tsx';
import { useWords } from '../language/use-words.ts';
import { loadWhenServed } from '../routing/page-chunks.ts';
import { AccountMenu } from './account-menu.tsx';
import { ColourMenu } from './colour-menu.tsx';
import { Connection } from './connection.tsx';
import { Drawer } from './drawer.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { modKey } from './mod-key.ts';
import type { PageListProps } from './page-list.tsx';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';
import { openDialog, reportChunkGone } from './shell-state.ts';

const WorkMenu = lazy(
  loadWhenServed(() => import('../work/work-menu.tsx').then(({ WorkMenu }) => ({ default: WorkMenu }))),
);

export const Header = (marks: Pick<PageListProps, 'warnings' | 'waiting'>) => {
  const words = useWords(shellWords);
  const openPalette = () => openDialog('palette');
  return (
    <header className={classes.header}>
      <Drawer {...marks} />
      <Mark />
      <div className={classes.acts}>
        <FaultBoundary shown={() => null} onFault={reportChunkGone}>
          <Suspense>
            <WorkMenu />
          </Suspense>
        </FaultBoundary>
        <Connection />
        <Tooltip label={words.palette}>
          <ActionIcon
            className={classes.phone}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={words.palette}
            onClick={openPalette}
          >
            <IconSearch size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Button
          className={classes.wide}
          variant="default"
          size="xs"
          leftSection={<IconSearch size={14} aria-hidden />}
          rightSection={<Kbd size="xs">{modKey} K</Kbd>}
          onClick={openPalette}
        >
          {words.search}
        </Button>
        <span className={classes.wide}>
          <ColourMenu />
        </span>
        <span className={classes.wide}>
          <LanguageMenu />
        </span>
        <AccountMenu />
      </div>
    </header>
  );
};
