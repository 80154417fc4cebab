import { Text } from '@mantine/core';
import { useState } from 'react';
import { product } from '#contracts/kernel/product.ts';
import { logoPath } from '#contracts/operations/community.ts';
import { useCommunity } from '../community/community-state.ts';
import classes from './mark.module.css';

/** The product's logo: a tower. */
export const Tower = ({ size }: { readonly size: number }) => (
  <svg className={classes.sign} width={size} height={size} viewBox="0 0 32 32" aria-hidden>
    <rect width="32" height="32" rx="7" />
    <path d="M8 9h4v3h2V9h4v3h2V9h4v7l-2 2v6h-4v-3a2 2 0 0 0-4 0v3h-4v-6l-2-2z" />
  </svg>
);

/** It reserves its place before it is loaded; if it cannot be loaded, the product's logo is shown. */
const Logo = ({ logo, size }: { readonly logo: string; readonly size: number }) => {
  const [isGone, setIsGone] = useState(false);
  if (isGone) return <Tower size={size} />;
  return (
    <img
      className={classes.logo}
      src={`${logoPath}?${logo.slice(0, 16)}`}
      width={size}
      height={size}
      alt=""
      onError={() => setIsGone(true)}
    />
  );
};

/** The community's logo, or the product's sign. */
export const MarkSign = ({ size = 24 }: { readonly size?: number }) => {
  const { logo } = useCommunity();
  return logo === null ? <Tower size={size} /> : <Logo key={logo} logo={logo} size={size} />;
};

/** Whose panel this is: logo and name of the community, or of the product until the community has them. */
export const Mark = ({ isWhole = false }: { readonly isWhole?: boolean }) => {
  const name = useCommunity().name ?? product.name;
  return (
    <span className={classes.mark}>
      <MarkSign size={isWhole ? 32 : 24} />
      <Text
        className={isWhole ? classes.whole : classes.name}
        fw={600}
        size="lg"
        component="bdi"
        title={name}
      >
        {name}
      </Text>
    </span>
  );
};
