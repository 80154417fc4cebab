import { useRoute } from 'wouter';
import { MemberPage } from './member-page.tsx';
import { MembersList } from './members-list.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/members/:id');
  return isOne ? <MemberPage key={params.id} id={params.id} /> : <MembersList />;
};
