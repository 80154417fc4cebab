import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { AsyncContent } from '../../../kit/design/async-content.tsx';
import { PanelLink } from '../../../kit/design/panel-link.tsx';
import { Sectioned } from '../../../kit/design/sectioned.tsx';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { useSearchState } from '../../../kit/routing/use-search-state.ts';
import { type GuideName, guideAddress, guideNames, headingId, loadGuide } from '../guides.ts';
import { helpWords } from '../help.words.ts';
import { helpPageWords } from '../help-page.words.ts';
import { parseMarkdown } from '../markdown.ts';
import classes from './guides-tab.module.css';
import { MarkdownView } from './markdown-view.tsx';

const isGuide = (text: string | undefined): text is GuideName => guideNames.some((name) => name === text);

/** The bundled documents, one at a time. */
export const GuidesTab = ({ name }: { readonly name: string | undefined }) => {
  const words = useWords(helpWords);
  const page = useWords(helpPageWords);
  const chosen = isGuide(name) ? name : 'gameAgents';
  return (
    <Sectioned
      label={page.tabs.guides}
      links={guideNames.map((guide) => ({
        to: guideAddress({ guide }),
        isChosen: guide === chosen,
        label: words.guides[guide],
      }))}
    >
      <Guide key={chosen} name={chosen} />
    </Sectioned>
  );
};

const Guide = ({ name }: { readonly name: GuideName }) => {
  const words = useWords(helpPageWords);
  const language = useLanguage();
  const read = useQuery({
    queryKey: ['guide', name],
    queryFn: () => loadGuide(name),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div>
      {language !== 'en' && (
        <Text c="dimmed" size="sm" mb="sm">
          {words.onlyEnglish}
        </Text>
      )}
      <AsyncContent read={read}>{(text) => <Document name={name} text={text} />}</AsyncContent>
    </div>
  );
};

const showHeading = (called: string) => {
  const heading = document.getElementById(headingId(called));
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
};

const Document = ({ name, text }: { readonly name: GuideName; readonly text: string }) => {
  const words = useWords(helpPageWords);
  const { part } = useSearchState().values;
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  const parts = blocks.flatMap((block) =>
    block.kind === 'heading' && block.level === 2 ? [block.text] : [],
  );
  useEffect(() => {
    if (part === undefined) return;
    showHeading(part);
  }, [part]);
  return (
    <>
      {/* For a list of codes, the table of contents would fill a page by itself. */}
      {parts.length > 1 && parts.length < 25 && (
        <nav aria-label={words.parts} className={classes.parts} lang="en">
          {parts.map((heading) => (
            <PanelLink
              key={heading}
              to={guideAddress({ guide: name, heading })}
              size="sm"
              // Chosen a second time, it does not change the address.
              onClick={() => showHeading(heading)}
            >
              {heading}
            </PanelLink>
          ))}
        </nav>
      )}
      <MarkdownView blocks={blocks} />
    </>
  );
};
