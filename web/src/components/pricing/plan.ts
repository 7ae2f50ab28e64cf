/** A plan of the contract, as the query of the pricing page gives it. */
export interface Units {
  livenessDetection: number;
  imageAnalysis: number;
}

export interface Plan {
  tier: string;
  displayName: string;
  description: string;
  quota: { productGroups: Units };
  pricing: { currency: string; basePrice: number; isCustom: boolean; overage: Units | null };
  isFree: boolean;
  allowBranding: boolean;
  allowSyncWebhook: boolean;
  limits: { burst: { limit: number; windowSeconds: number }; concurrency: number };
  display: {
    price: string;
    priceDetail: string;
    icon: string;
    recommended: boolean;
    buttonText: string;
    buttonStyle: 'primary' | 'secondary';
    features: string[];
  };
}
