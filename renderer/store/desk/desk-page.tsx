import { useRoute } from 'wouter';
import { DeskList } from './desk-list.tsx';
import { DeskRules } from './desk-rules.tsx';

export const Page = () => {
  const [isRules] = useRoute('/desk/rules');
  return isRules ? <DeskRules /> : <DeskList />;
};
