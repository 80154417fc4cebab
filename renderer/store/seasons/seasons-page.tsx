import { useRoute } from 'wouter';
import { NewSeasonPage } from './new-season-page.tsx';
import { SeasonPage } from './season-page.tsx';
import { SeasonsList } from './seasons-list.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/seasons/:id');
  if (!isOne) return <SeasonsList />;
  return params.id === 'new' ? <NewSeasonPage /> : <SeasonPage key={params.id} id={params.id} />;
};
