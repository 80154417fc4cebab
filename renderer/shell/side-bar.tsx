import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { useWords } from '../language/use-words.ts';
import { PageList, type PageListProps } from './page-list.tsx';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';
import { toggleNarrow, useIsNarrow } from './shell-state.ts';

/** The pages at the side of the desk; it can be narrowed to their signs, and stays as it was. */
export const SideBar = (marks: Pick<PageListProps, 'warnings' | 'waiting'>) => {
  const words = useWords(shellWords);
  const isNarrow = useIsNarrow();
  const Icon = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const says = isNarrow ? words.widen : words.narrow;
  return (
    <nav className={classes.side} aria-label={words.navigation}>
      <PageList isNarrow={isNarrow} {...marks} />
      <div className={classes.fold}>
        <button type="button" className={classes.link} onClick={toggleNarrow} aria-label={says} title={says}>
          <Icon size={18} aria-hidden />
          {!isNarrow && says}
        </button>
      </div>
    </nav>
  );
};
