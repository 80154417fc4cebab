import { useRoute } from 'wouter';
import { DetailTabs } from '../../kit/design/detail-tabs.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { ApiTab } from './api/api-tab.tsx';
import { GuidesTab } from './guides/guides-tab.tsx';
import { helpPageWords } from './help-page.words.ts';
import { NewsTab } from './news/news-tab.tsx';

const tabs = ['news', 'guides', 'api'] as const;
type Tab = (typeof tabs)[number];

/** An unknown tab in a mangled address means the first one. */
const tabOf = (text: string | undefined): Tab => tabs.find((name) => name === text) ?? 'news';

/** Everything that explains Castellan and is not the help for a single page. */
export const Page = () => {
  const words = useWords(helpPageWords);
  const [, deeper] = useRoute<{ tab: string; name?: string }>('/help/:tab/:name?');
  const shown = tabOf(deeper?.tab);
  return (
    <Frame title={words.title} part={words.tabs[shown]}>
      <DetailTabs
        label={words.title}
        tabs={tabs.map((name) => ({ name, label: words.tabs[name] }))}
        shown={shown}
        onShow={(name) => goTo(name === 'news' ? '/help' : `/help/${name}`)}
      >
        {shown === 'news' && <NewsTab />}
        {shown === 'guides' && <GuidesTab name={deeper?.name} />}
        {shown === 'api' && <ApiTab />}
      </DetailTabs>
    </Frame>
  );
};
