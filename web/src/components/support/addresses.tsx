import { useSite } from '../use-site';
import * as styles from './support.module.css';

interface AddressesProps {
  /** By key in content/site.json, contact. */
  addresses: readonly { name: string; label: string }[];
}

/** The contact addresses with their purposes. */
export function Addresses({ addresses }: AddressesProps) {
  const contact: Record<string, string> = useSite().contact;
  return (
    <dl className={styles.addresses}>
      {addresses.map(({ name, label }) => {
        const address = contact[name];
        if (!address) throw new Error(`content/site.json has no address named ${name}.`);
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              <a href={`mailto:${address}`}>{address}</a>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
