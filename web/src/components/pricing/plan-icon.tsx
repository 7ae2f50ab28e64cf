import Building2 from 'lucide-react/dist/esm/icons/building-2.mjs';
import Gift from 'lucide-react/dist/esm/icons/gift.mjs';
import Globe from 'lucide-react/dist/esm/icons/globe.mjs';
import Rocket from 'lucide-react/dist/esm/icons/rocket.mjs';
import TrendingUp from 'lucide-react/dist/esm/icons/trending-up.mjs';

/** By the names that the contract's plans use. */
const ICONS: Record<string, typeof Globe> = {
  'building-2': Building2,
  gift: Gift,
  globe: Globe,
  rocket: Rocket,
  'trending-up': TrendingUp,
};

/** Decorates a plan's name; nothing for a name that has no icon here. */
export function PlanIcon({ name }: { name: string }) {
  const Icon = ICONS[name];
  return Icon ? <Icon size={22} strokeWidth={1.5} color="var(--accent)" aria-hidden="true" /> : null;
}
