import { useRoute } from 'wouter';
import { ArrangePage } from './arrange-page.tsx';
import { NewProductPage } from './new-product-page.tsx';
import { ProductPage } from './product-page.tsx';
import { ProductsList } from './products-list.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/store/:id');
  if (!isOne) return <ProductsList />;
  if (params.id === 'order') return <ArrangePage />;
  return params.id === 'new' ? <NewProductPage /> : <ProductPage key={params.id} id={params.id} />;
};
