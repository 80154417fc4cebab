import { Anchor, CloseButton, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useCan } from '../../kit/access/access-state.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { setHelpOpen } from '../../kit/help/help-state.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { navigation, type PageName, pageNames } from '../navigation.ts';
import { navigationWords } from '../navigation.words.ts';
import { isWithin } from '../page-of-address.ts';
import { openDialog } from '../shell-state.ts';
import { type GuideLink, guideAddress } from './guides.ts';
import { helpWords } from './help.words.ts';
import classes from './help-panel.module.css';
import { useHasNews } from './news-seen.ts';
import { type HelpText, pageHelp } from './page-help.ts';
import { termsWords } from './terms.words.ts';

/** In a narrower window, there would be no room for the page beside it. */
const besideQuery = '(width >= 68em)';

const close = () => setHelpOpen(false);

/** The page at an address; an unknown address gets the help for the help itself. */
const pageAt = (address: string): PageName =>
  pageNames.find((name) => isWithin(address, navigation[name].path)) ?? 'help';

/** Help for the current page: beside it if there is room, otherwise over it. */
export const HelpPanel = () => {
  const words = useWords(helpWords);
  const names = useWords(navigationWords);
  const [address] = useLocation();
  const page = pageAt(address);
  const isBeside = useMediaQuery(besideQuery, undefined, { getInitialValueInEffect: false });
  useFocusGoesBack();
  const title = words.of(names.pages[page]);
  const content = (
    <Stack gap="lg">
      <HelpOfPage page={page} />
      <MoreLinks links={pageHelp[page].guides} />
    </Stack>
  );
  return isBeside ? <Beside title={title}>{content}</Beside> : <Over title={title}>{content}</Over>;
};

/** Returns the focus to where it came from, or, if that is gone with its page, to the help button of the current page. */
const useFocusGoesBack = () => {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
        const target = isThere ? before : document.querySelector<HTMLElement>('#content [data-help]');
        target?.focus();
      });
    },
    [before],
  );
};

interface FrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

const Head = ({ id, title }: { readonly id: string; readonly title: string }) => {
  const words = useWords(helpWords);
  return (
    <div className={classes.head}>
      <Title order={2} fz="lg" id={id}>
        {title}
      </Title>
      <CloseButton aria-label={words.close} onClick={close} />
    </div>
  );
};

/** Menus, dialogs and fields use Escape themselves. */
const isTaken = ({ target, defaultPrevented, isComposing }: KeyboardEvent): boolean =>
  defaultPrevented ||
  isComposing ||
  document.querySelector('dialog[open], [role="dialog"], [role="menu"], [role="listbox"]') !== null ||
  (target instanceof HTMLElement && target.closest('input, textarea, select, [role="textbox"]') !== null);

const Beside = ({ title, children }: FrameProps) => {
  const id = useId();
  const aside = useRef<HTMLElement>(null);
  useEffect(() => aside.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isTaken(event)) return;
      event.preventDefault();
      close();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <aside ref={aside} className={classes.beside} aria-labelledby={id} tabIndex={-1} data-help-beside>
      <Head id={id} title={title} />
      {children}
    </aside>
  );
};

/** A link that was followed leads to a page that nothing may cover. */
const useCloseOnLeave = () => {
  const [path] = useLocation();
  const address = `${path}?${useSearch()}`;
  const [openedAt] = useState(address);
  useEffect(() => {
    if (address !== openedAt) close();
  }, [address, openedAt]);
};

const Over = ({ title, children }: FrameProps) => {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useCloseOnLeave();
  return (
    <dialog ref={dialog} className={classes.over} aria-labelledby={id} onClose={close}>
      <Head id={id} title={title} />
      {children}
    </dialog>
  );
};

const HelpOfPage = ({ page }: { readonly page: PageName }) => {
  const words = useWords(helpWords);
  const terms = useWords(termsWords);
  const language = useLanguage();
  const { load, terms: used } = pageHelp[page];
  const read = useQuery({ queryKey: ['help', page], queryFn: load, staleTime: Number.POSITIVE_INFINITY });
  return (
    <>
      <AsyncContent read={read}>{(texts) => <Texts text={texts[language]} />}</AsyncContent>
      <section>
        <Title order={3} fz="sm" mb="xs">
          {words.terms}
        </Title>
        <dl className={classes.terms}>
          {used.map((term) => (
            <div key={term}>
              <dt>{terms[term].name}</dt>
              <dd>{terms[term].means}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
};

const Texts = ({ text }: { readonly text: HelpText }) => {
  const words = useWords(helpWords);
  return (
    <>
      <Text>{text.purpose}</Text>
      <section>
        <Title order={3} fz="sm" mb="xs">
          {words.tasks}
        </Title>
        <ol className={classes.tasks}>
          {(['first', 'second', 'third'] as const).map((which) => (
            <li key={which}>
              <strong>{text[which].title}</strong>
              <span>{text[which].how}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
};

const MoreLinks = ({ links }: { readonly links: readonly GuideLink[] }) => {
  const words = useWords(helpWords);
  const language = useLanguage();
  const can = useCan();
  const hasNews = useHasNews();
  const note = language === 'en' ? null : <span className={classes.note}> ({words.english})</span>;
  return (
    <section>
      <Title order={3} fz="sm" mb="xs">
        {words.more}
      </Title>
      <ul className={classes.links}>
        {[...links, { guide: 'glossary' } as const].map((link: GuideLink) => (
          <li key={guideAddress(link)}>
            <PanelLink to={guideAddress(link)}>
              {words.guides[link.guide]}
              {link.heading !== undefined && (
                <>
                  : <span lang="en">{link.heading}</span>
                </>
              )}
            </PanelLink>
            {link.guide !== 'glossary' && note}
          </li>
        ))}
        {can('stack.read') && (
          <li>
            <PanelLink to="/help/api">{words.api}</PanelLink>
          </li>
        )}
        <li>
          <PanelLink to="/help">{words.news}</PanelLink>
          {hasNews && <span className={classes.new}>{words.isNew}</span>}
        </li>
        <li>
          <Anchor component="button" type="button" onClick={() => openDialog('cheat-sheet')}>
            {words.shortcuts}
          </Anchor>
        </li>
      </ul>
    </section>
  );
};
