import Building2 from 'lucide-react/dist/esm/icons/building-2.mjs';
import Gift from 'lucide-react/dist/esm/icons/gift.mjs';
import Globe from 'lucide-react/dist/esm/icons/globe.mjs';
import Rocket from 'lucide-react/dist/esm/icons/rocket.mjs';
import TrendingUp from 'lucide-react/dist/esm/icons/trending-up.mjs';

/** By `icon` in the contract's plans. */
const ICONS: Record<string, typeof Globe> = {
  'building-2': Building2,
  gift: Gift,
  globe: Globe,
  rocket: Rocket,
  'trending-up': TrendingUp,
};

/** The icon of a plan; nothing for an unknown name. */
export function PlanIcon({ name }: { name: string }) {
  const Icon = ICONS[name];
  return Icon ? <Icon size={22} strokeWidth={1.5} color="var(--accent)" aria-hidden="true" /> : null;
}
