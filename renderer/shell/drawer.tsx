import { ActionIcon } from '@mantine/core';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { type MouseEvent, useRef } from 'react';
import { designWords } from '../design/design.words.ts';
import { Mark } from '../design/mark.tsx';
import { useWords } from '../language/use-words.ts';
import { PageList, type PageListProps } from './page-list.tsx';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';

/** The pages on a phone, behind a button. */
export const Drawer = (marks: Pick<PageListProps, 'warnings' | 'waiting'>) => {
  const words = useWords(shellWords);
  const general = useWords(designWords);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  const closeBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) close();
  };
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={words.menu}
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it by Escape */}
      <dialog ref={dialog} className={classes.drawer} aria-label={words.navigation} onClick={closeBeside}>
        <div className={classes.drawerHead}>
          <Mark />
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={general.close} onClick={close}>
            <IconX size={20} aria-hidden />
          </ActionIcon>
        </div>
        <nav aria-label={words.navigation}>
          <PageList {...marks} onGo={close} />
        </nav>
      </dialog>
    </>
  );
};
