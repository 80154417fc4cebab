import { useRoute } from 'wouter';
import { MemberPage } from './member-page.tsx';
import { MembersList } from './members-list.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string; tab?: string }>('/members/:id/:tab?');
  return isOne ? <MemberPage key={params.id} id={params.id} tab={params.tab ?? ''} /> : <MembersList />;
};
